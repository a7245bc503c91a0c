import { NodeTable } from './node-table';
import { PodKinds } from './pod-kinds';
import { isComplete } from './query-pods';
import { QueryProblem, WhatIfQueries } from '../../kernel';
import { PodClass } from '../encoding/pod-classes';
import { ExistingNode, PodGroup, ScheduleInput } from '../input/schedule-input';
import { NodeView } from '../nodes/existing-nodes';
import { admit } from '../pods/admission';

/** A what-if query: the base query with one node removed, and with the pods of the node in the queue. */
export interface RemovedNode {
  /** The index of the node in the nodes of the base query. */
  readonly index: number;
  /** The node as the query sees it: leaving, with the pods that are not rescheduled. */
  readonly remains: ExistingNode;
  /** The pods that are rescheduled. They are the same as long as `remains` is the same object. */
  readonly groups: readonly PodGroup[];
  /** Per group: the index of the pending group that it comes before. The indices ascend. */
  readonly before: readonly number[];
}

/** The pods of a removed node, as they join the queue. */
export interface ReschedulablePods {
  readonly classOf: readonly number[];
  /** Indices of the groups in the order in which they are scheduled. */
  readonly order: readonly number[];
  /** Pods of all groups. */
  readonly count: number;
  /** The topology groups that these pods have from the start. */
  readonly topologies: readonly number[];
}

/** Encodes the pods of removed nodes, and keeps the results by the identity of what remains of the node. */
export class ReschedulablePodCache {
  private readonly entries = new WeakMap<ExistingNode, { readonly pods: ReschedulablePods | undefined }>();

  /**
   * @param isTopologyStable per class: 1 if relaxing adds no topology group
   * @param ranks per class: its rank by size
   */
  public constructor(
    private readonly kinds: PodKinds,
    private readonly classes: readonly PodClass[],
    private readonly isTopologyStable: Uint8Array,
    private readonly ranks: Int32Array,
  ) {}

  /**
   * Undefined if a pod is not scheduled at all, is of an unknown kind, or could add a topology group that constrains
   * other pods as well.
   */
  public get({ remains, groups }: RemovedNode, input: ScheduleInput): ReschedulablePods | undefined {
    const cached = this.entries.get(remains);
    if (cached) return cached.pods;
    const pods = this.encode(groups, input);
    this.entries.set(remains, { pods });
    return pods;
  }

  private encode(groups: readonly PodGroup[], input: ScheduleInput): ReschedulablePods | undefined {
    const classOf = this.classesOf(groups, input);
    if (classOf === undefined) return undefined;
    // The sort is stable: groups of equal size stay in queue order.
    const order = groups
      .map((_, index) => index)
      .sort((left, right) => this.ranks[classOf[left]] - this.ranks[classOf[right]]);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return {
      classOf,
      order,
      count,
      topologies: [...new Set(classOf.flatMap((podClass) => this.classes[podClass].variants[0].topologies))],
    };
  }

  private classesOf(groups: readonly PodGroup[], input: ScheduleInput): readonly number[] | undefined {
    const { indices } = admit({ ...input, pods: groups });
    const classOf = groups.map((group) => this.kinds.classOf(group));
    if (indices.length < groups.length || !isComplete(classOf)) return undefined;
    return classOf.some((podClass) => this.isTopologyStable[podClass!] === 0) ? undefined : classOf;
  }
}

/** Per class: 1 if relaxing adds no topology group. */
export function topologyStableClasses(classes: readonly PodClass[]): Uint8Array {
  return Uint8Array.from(classes, ({ variants: [first, ...relaxed] }) =>
    relaxed.every(({ topologies }) => topologies.every((group) => first.topologies.includes(group))) ? 1 : 0,
  );
}

const NEVER = 0x7fffffff;
const NOT_QUERIED = [-1, 0, 0, 0, 0, 0] as const;

interface SolvedBaseQuery {
  readonly query: Pick<QueryProblem, 'runs' | 'runCount' | 'nodeCount'>;
  /** The answer of the kernel: pairs (group, where its pod went). */
  readonly placements: Int32Array;
  readonly classes: readonly PodClass[];
  /** Per class: its rank by size. */
  readonly ranks: Int32Array;
  /** Per scheduled group: its index among all pending groups. */
  readonly indices: readonly number[];
  readonly topologyGroups: number;
  readonly views: readonly NodeView[];
}

/**
 * Finds how many runs of the base query's queue a what-if query shares: the prefix of the queue whose pods go to the
 * same places although the node is removed. The kernel solves this prefix once for all what-if queries.
 */
export class QueuePrefix {
  /** The index of the first node that is not initialized. Such nodes come after all others. */
  public readonly firstUninitializedNode: number;
  /** Per topology group: the first run that it constrains. */
  private readonly firstRunOfGroup: Int32Array;
  /** Per node: the first run with a pod that goes there. */
  private readonly firstRunOnNode: Int32Array;

  public constructor(private readonly base: SolvedBaseQuery) {
    const {
      query: { runs, runCount, nodeCount },
      placements,
      classes,
      indices,
      topologyGroups,
      views,
    } = base;
    const uninitialized = views.findIndex(({ node }) => !node.initialized);
    this.firstUninitializedNode = uninitialized < 0 ? views.length : uninitialized;
    this.firstRunOfGroup = new Int32Array(topologyGroups).fill(NEVER);
    this.firstRunOnNode = new Int32Array(nodeCount).fill(NEVER);
    const runOf = new Int32Array(indices.length);
    for (let run = runCount - 1; run >= 0; run--) {
      runOf[runs[run * 3 + 2]] = run;
      const { variants, inverseAntiAffinity } = classes[runs[run * 3]];
      for (const group of inverseAntiAffinity) this.firstRunOfGroup[group] = run;
      for (const { topologies } of variants) for (const group of topologies) this.firstRunOfGroup[group] = run;
    }
    for (let index = 0; index < placements.length; index += 2) {
      const node = -1 - placements[index + 1];
      if (node >= 0) this.firstRunOnNode[node] = Math.min(this.firstRunOnNode[node], runOf[placements[index]]);
    }
  }

  /**
   * What-if queries in the kernel's form. A query is marked as not queried if removing the node could change more than
   * its pods and counts.
   *
   * @param pods per removed node its pods; undefined if they could not be encoded
   * @param nodes of the base query
   */
  public encode(
    removedNodes: readonly RemovedNode[],
    pods: ReadonlyArray<ReschedulablePods | undefined>,
    table: NodeTable,
    nodes: readonly ExistingNode[],
  ): WhatIfQueries {
    const headers: number[] = [];
    const words: number[] = [];
    removedNodes.forEach((removed, number) => {
      const added = pods[number];
      const delta = added && table.removalDelta(nodes[removed.index], removed.remains);
      if (added === undefined || delta === undefined) {
        headers.push(...NOT_QUERIED);
        return;
      }
      const { index, uncounted } = delta;
      const uncountedStart = words.length;
      for (let word = 0; word < uncounted.length; word++) words.push(uncounted[word]);
      const runsStart = words.length;
      this.writeRuns(removed, added, words);
      let firstRun = Math.min(
        this.firstRunOnNode[index],
        added.order.length === 0 ? this.base.query.runCount : words[runsStart],
      );
      for (let word = 0; word < uncounted.length; word += 3)
        firstRun = Math.min(firstRun, this.firstRunOfGroup[uncounted[word]]);
      headers.push(firstRun, index, uncountedStart, uncounted.length / 3, runsStart, added.order.length);
    });
    return { count: removedNodes.length, headers, words };
  }

  private writeRuns({ groups, before }: RemovedNode, { classOf, order }: ReschedulablePods, words: number[]): void {
    const { ranks, indices } = this.base;
    for (const index of order) {
      words.push(
        this.runAfter(ranks[classOf[index]], before[index]),
        classOf[index],
        groups[index].count,
        indices.length + index,
      );
    }
  }

  /** The first run of the base query that comes after pods of this size and queue position. */
  private runAfter(rank: number, before: number): number {
    const {
      query: { runs, runCount },
      ranks,
      indices,
    } = this.base;
    let [low, high] = [0, runCount];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const runRank = ranks[runs[middle * 3]];
      if (runRank < rank || (runRank === rank && indices[runs[middle * 3 + 2]] < before)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
