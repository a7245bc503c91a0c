import { admit } from '../admission';
import { PodClass } from '../pod-classes';
import { ExistingNode, PodGroup, ScheduleInput } from '../schedule-input';
import { KnownPods } from './known-pods';
import { isComplete } from './node-table';
import { initialGroups } from './offered-domains';

/** One node of a cluster less, and its pods among those that wait. */
export interface NodeGone {
  /** Its place among the nodes. */
  readonly node: number;
  /** What is left of it. */
  readonly left: ExistingNode;
  /** Its pods: as long as `left` is the same, these are. */
  readonly groups: readonly PodGroup[];
  /** Per group its place: that of the first among the groups that wait that it comes before. None is less than the one before it. */
  readonly before: readonly number[];
}

/** The pods of a node that is gone, as they come into the queue. */
export interface MorePods {
  readonly classOf: readonly number[];
  /** The groups in the order in which they are placed. */
  readonly order: readonly number[];
  /** Pods of all groups. */
  readonly count: number;
  /** The topology groups that they have from the start. */
  readonly topologies: readonly number[];
}

/** The pods of nodes that may go, each worked out once for as long as its node stays as it is. */
export class PodsOfNodesGone {
  private readonly found = new WeakMap<ExistingNode, { readonly pods: MorePods | undefined }>();

  /**
   * @param classes those that are known
   * @param isSteady per class 1 where no topology group comes in by relaxing
   * @param ranks per class its place among the sizes
   */
  public constructor(
    private readonly known: KnownPods, private readonly classes: readonly PodClass[], private readonly isSteady: Uint8Array,
    private readonly ranks: Int32Array,
  ) {}

  /** Undefined where they are not all scheduled, or not known, or where relaxing may bring in what constrains others too. */
  public of({ left, groups }: NodeGone, input: ScheduleInput): MorePods | undefined {
    const known = this.found.get(left);
    if (known) return known.pods;
    const pods = this.work(groups, input);
    this.found.set(left, { pods });
    return pods;
  }

  private work(groups: readonly PodGroup[], input: ScheduleInput): MorePods | undefined {
    const classOf = this.classesOf(groups, input);
    if (classOf === undefined) return undefined;
    // Those of one size stay as they are: in the order of their places.
    const order = groups.map((_, at) => at).sort((one, other) => this.ranks[classOf[one]] - this.ranks[classOf[other]]);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return { classOf, order, count, topologies: initialGroups(this.classes, classOf) };
  }

  private classesOf(groups: readonly PodGroup[], input: ScheduleInput): readonly number[] | undefined {
    const { indices } = admit({ ...input, pods: groups });
    const classOf = groups.map((group) => this.known.classOf(group));
    if (indices.length < groups.length || !isComplete(classOf)) return undefined;
    return classOf.some((podClass) => this.isSteady[podClass!] === 0) ? undefined : classOf;
  }
}

/** Per class 1 where no topology group comes in by relaxing. */
export function steadyClasses(classes: readonly PodClass[]): Uint8Array {
  return Uint8Array.from(classes, ({ variants: [first, ...others] }) =>
    others.every(({ topologies }) => topologies.every((group) => first.topologies.includes(group))) ? 1 : 0);
}
