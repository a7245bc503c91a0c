import { PodShape } from '../input/pod-shape';
import { DaemonSetSpec, ExistingNode, PodGroup, RunningPod } from '../input/schedule-input';
import { podTallies } from '../nodes/node-facts';
import { TopologyGroups } from '../topology/topology-groups';

/** The topology groups that count running pods of one shape, namespace and state. */
interface CountingGroups {
  readonly namespace: string;
  readonly terminating: boolean;
  readonly groups: readonly number[];
}

/** The class of pending pods of one shape, namespace and origin. */
interface ClassEntry {
  readonly namespace: string;
  readonly notPending: boolean;
  readonly podClass: number;
}

/** The kinds of pods that a solver was encoded with, running or pending. A kind is a shape in a namespace. */
export class PodKinds {
  /** Namespaces of the running pods, by shape. */
  private readonly running = new Map<PodShape, Set<string>>();
  private readonly classes = new Map<PodShape, ClassEntry[]>();
  private readonly countingGroups = new Map<PodShape, readonly CountingGroups[]>();

  public constructor(
    private readonly topologies: TopologyGroups,
    nodes: readonly ExistingNode[],
    groups: readonly PodGroup[],
    classOf: readonly number[],
    daemonSets: readonly DaemonSetSpec[] = [],
  ) {
    // Their pods start on nodes that queries add. Anti-affinity would also need topology groups.
    for (const { namespace, shape } of daemonSets)
      if (shape.podAntiAffinity === undefined) this.addRunning(shape, namespace);
    for (const {
      sample: { shape, namespace },
    } of nodes.flatMap(({ pods }) => podTallies(pods))) {
      this.addRunning(shape, namespace);
    }
    groups.forEach(({ shape, namespace, notPending = false }, index) => {
      const entries = this.classes.get(shape) ?? [];
      this.classes.set(shape, entries);
      entries.unshift({ namespace, notPending, podClass: classOf[index] });
    });
  }

  private addRunning(shape: PodShape, namespace: string): void {
    this.running.set(shape, (this.running.get(shape) ?? new Set()).add(namespace));
  }

  public has({ shape, namespace }: RunningPod): boolean {
    return this.running.get(shape)?.has(namespace) === true || this.classOf({ shape, namespace }) !== undefined;
  }

  /** The class of a pod group; undefined if no such pods were encoded. */
  public classOf({
    shape,
    namespace,
    notPending = false,
  }: Pick<PodGroup, 'shape' | 'namespace' | 'notPending'>): number | undefined {
    return this.classes.get(shape)?.find((entry) => entry.namespace === namespace && entry.notPending === notPending)
      ?.podClass;
  }

  /** The topology groups that count a running pod, or that hold its anti-affinity towards other pods. */
  public groupsCounting(pod: RunningPod): readonly number[] {
    const { shape, namespace, terminating = false } = pod;
    const entries = this.countingGroups.get(shape) ?? [];
    const entry = entries.find(
      (candidate) => candidate.namespace === namespace && candidate.terminating === terminating,
    );
    if (entry) return entry.groups;
    const groups = this.topologies.counting(pod);
    this.countingGroups.set(shape, [...entries, { namespace, terminating, groups }]);
    return groups;
  }
}

/**
 * One group of one pod for each kind of pods that a query may have to schedule: pending pods, and running pods that may
 * have to move. Each query validates its pending pods, so that no kind is left out here.
 *
 * @param earlier kinds of pods that are neither pending nor running now
 */
export function schedulableKinds(
  nodes: readonly ExistingNode[],
  groups: readonly PodGroup[],
  earlier: readonly PodGroup[] = [],
): PodGroup[] {
  const kinds = new Map<PodShape, Map<string, PodGroup>>();
  const add = (group: PodGroup) => {
    const ofShape = kinds.get(group.shape) ?? new Map<string, PodGroup>();
    kinds.set(group.shape, ofShape);
    const key = `${group.namespace} ${group.notPending === true}`;
    if (!ofShape.has(key)) ofShape.set(key, group);
  };
  for (const group of groups) {
    // A pod that moves in this query may be back on its node, or pending, in the next one.
    for (const notPending of group.notPending ? [true, false] : [group.notPending])
      add({ ...group, notPending, count: 1, rescheduled: true });
  }
  for (const {
    sample: { namespace, name, shape, daemon },
  } of nodes.flatMap(({ pods }) => podTallies(pods))) {
    if (daemon) continue;
    for (const notPending of [true, false]) add({ namespace, name, shape, count: 1, notPending, rescheduled: true });
  }
  earlier.forEach(add);
  return [...kinds.values()].flatMap((ofShape) => [...ofShape.values()]);
}
