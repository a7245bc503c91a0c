import { podTallies } from '../node-facts';
import { PodShape } from '../pod-shape';
import { ExistingNode, PodGroup, RunningPod } from '../schedule-input';
import { TopologyGroups } from '../topology-groups';

/** The topology groups that count pods of one shape. */
interface Counting {
  readonly namespace: string;
  readonly terminating: boolean;
  readonly groups: readonly number[];
}

/** The class of pods of one shape. */
interface Classified {
  readonly namespace: string;
  readonly moving: boolean;
  readonly podClass: number;
}

/** The kinds of pods that a problem was encoded with, running or to come. */
export class KnownPods {
  /** By shape and namespace. */
  private readonly running = new Map<PodShape, Set<string>>();
  private readonly classes = new Map<PodShape, Classified[]>();
  private readonly groups = new Map<PodShape, readonly Counting[]>();

  constructor(private readonly topologies: TopologyGroups, nodes: readonly ExistingNode[], groups: readonly PodGroup[], classOf: readonly number[]) {
    for (const { sample: { shape, namespace } } of nodes.flatMap(({ pods }) => podTallies(pods))) {
      this.running.set(shape, (this.running.get(shape) ?? new Set()).add(namespace));
    }
    groups.forEach(({ shape, namespace, moving = false }, at) => {
      const ofShape = this.classes.get(shape) ?? [];
      this.classes.set(shape, ofShape);
      ofShape.unshift({ namespace, moving, podClass: classOf[at] });
    });
  }

  has({ shape, namespace }: RunningPod): boolean {
    return this.running.get(shape)?.has(namespace) === true || this.classOf({ shape, namespace }) !== undefined;
  }

  /** The class of a group; undefined where no such pods were there. */
  classOf({ shape, namespace, moving = false }: Pick<PodGroup, 'shape' | 'namespace' | 'moving'>): number | undefined {
    return this.classes.get(shape)?.find((each) => each.namespace === namespace && each.moving === moving)?.podClass;
  }

  /** The topology groups that count a pod that runs, or by which it keeps others away. */
  groupsOf(pod: RunningPod): readonly number[] {
    const { shape, namespace, terminating = false } = pod;
    const ofShape = this.groups.get(shape) ?? [];
    const known = ofShape.find((each) => each.namespace === namespace && each.terminating === terminating);
    if (known) return known.groups;
    const groups = this.topologies.counting(pod);
    this.groups.set(shape, [...ofShape, { namespace, terminating, groups }]);
    return groups;
  }
}

function inner<Value>(known: Map<PodShape, Map<string, Value>>, shape: PodShape): Map<string, Value> {
  const found = known.get(shape) ?? new Map<string, Value>();
  known.set(shape, found);
  return found;
}

function keyOf({ namespace, moving }: Pick<PodGroup, 'namespace' | 'moving'>): string {
  return `${namespace} ${moving === true}`;
}

/** One group for each kind of pods that may have to be scheduled: those that wait, and those that run, which may have to move. */
export function representatives(nodes: readonly ExistingNode[], groups: readonly PodGroup[]): PodGroup[] {
  const found = new Map<PodShape, Map<string, PodGroup>>();
  const add = (group: PodGroup) => {
    const ofShape = inner(found, group.shape);
    if (!ofShape.has(keyOf(group))) ofShape.set(keyOf(group), group);
  };
  for (const group of groups) {
    // Those that move are on a node in the next question.
    for (const moving of group.moving ? [true, false] : [group.moving]) add({ ...group, moving, count: 1 });
  }
  for (const { sample: { namespace, name, shape, daemon } } of nodes.flatMap(({ pods }) => podTallies(pods))) {
    if (daemon) continue;
    for (const moving of [true, false]) add({ namespace, name, shape, count: 1, moving });
  }
  return [...found.values()].flatMap((ofShape) => [...ofShape.values()]);
}
