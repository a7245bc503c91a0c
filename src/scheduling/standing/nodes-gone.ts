import { PackerSolution, QuestionPart, StandingPacker, Variation, VariationsPart } from '../../kernel';
import { admit } from '../admission';
import { NodeView } from '../existing-nodes';
import { PodClass } from '../pod-classes';
import { ExistingNode, PodGroup, ScheduleInput } from '../schedule-input';
import { KnownPods } from './known-pods';
import { isComplete, NodeTable } from './node-table';

/** One node of a cluster less, and its pods among those that wait. */
export interface NodeGone {
  /** Its place among the nodes. */
  readonly node: number;
  /** What is left of it. */
  readonly left: ExistingNode;
  /** Its pods: each group with the place among the groups that it comes before. */
  readonly pods: ReadonlyArray<{ readonly group: PodGroup; readonly before: number }>;
}

/** The pods of a node that is gone, as they come into the queue. */
export interface MorePods {
  readonly gone: NodeGone;
  readonly classOf: readonly number[];
}

/** The pods of nodes that may go, each worked out once for as long as its node stays as it is. */
export class PodsOfNodesGone {
  private readonly found = new WeakMap<ExistingNode, { readonly classOf: readonly number[] | undefined }>();

  /** @param isSteady per class 1 where no topology group comes in by relaxing */
  public constructor(private readonly known: KnownPods, private readonly isSteady: Uint8Array) {}

  /** Undefined where they are not all scheduled, or not known, or where relaxing may bring in what constrains others too. */
  public of(gone: NodeGone, input: ScheduleInput): MorePods | undefined {
    const found = this.found.get(gone.left) ?? { classOf: this.classesOf(gone.pods.map(({ group }) => group), input) };
    this.found.set(gone.left, found);
    return found.classOf && { gone, classOf: found.classOf };
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

/** @param groups of the question itself */
export function inCommon(gone: readonly NodeGone[], groups: number, views: readonly NodeView[]): VariationsPart {
  const most = gone.map(({ pods }) => pods.reduce((sum, { group: { count } }) => sum + count, 0)).reduce((one, other) => Math.max(one, other), 0);
  return { morePods: BigInt(most), firstMoreGroup: groups, firstNodeNotUp: views.filter(({ node }) => node.initialized).length };
}

/** Those that begin with the same of the queue after one another; false for each that is missing. */
export function askInTurn(
  packer: StandingPacker, question: QuestionPart & VariationsPart, variations: ReadonlyArray<Variation | undefined>,
): boolean[] {
  const answers = variations.map(() => false);
  const inTurn = variations.flatMap((variation, at) => variation ? [{ at, variation }] : [])
    .sort((one, other) => one.variation.from - other.variation.from);
  const told = packer.endOnNodesNotUp(question, inTurn.map(({ variation }) => variation));
  inTurn.forEach(({ at }, turn) => { answers[at] = told[turn]; });
  return answers;
}

const NEVER = 0x7fffffff;

/** What of the queue is placed otherwise where a node is gone: all before it is as in the question itself. */
export class QueueMarks {
  /** Per topology group: the first run that it constrains. */
  private readonly ofGroup: Int32Array;
  private readonly ofNode: Int32Array;
  private readonly runOf: Int32Array;

  /**
   * @param solution of the question
   * @param indices per group that is scheduled: its place among all groups
   */
  public constructor(
    private readonly question: Pick<QuestionPart, 'runs' | 'runCount' | 'nodeCount'>, { placements }: PackerSolution, classes: readonly PodClass[],
    private readonly ranks: Int32Array, private readonly indices: readonly number[], topologyGroups: number,
  ) {
    const { runs, runCount, nodeCount } = question;
    this.ofGroup = new Int32Array(topologyGroups).fill(NEVER);
    this.ofNode = new Int32Array(nodeCount).fill(NEVER);
    this.runOf = new Int32Array(indices.length);
    for (let run = runCount - 1; run >= 0; run--) {
      this.runOf[runs[run * 3 + 2]] = run;
      const { variants, guards } = classes[runs[run * 3]];
      for (const group of guards) this.ofGroup[group] = run;
      for (const { topologies } of variants) for (const group of topologies) this.ofGroup[group] = run;
    }
    for (let at = 0; at < placements.length; at += 2) {
      const node = -1 - placements[at + 1];
      if (node >= 0) this.ofNode[node] = Math.min(this.ofNode[node], this.runOf[placements[at]]);
    }
  }

  /** Undefined where more than the pods is different. */
  public variation({ gone: { left, pods }, classOf }: MorePods, nodes: NodeTable, was: ExistingNode): Variation | undefined {
    const found = nodes.without(was, left);
    if (found === undefined) return undefined;
    const { place, uncounted } = found;
    const more = pods.map(({ group, before }, at) => ({ before, podClass: classOf[at], count: group.count, group: this.indices.length + at }))
      .sort((one, other) => this.ranks[one.podClass] - this.ranks[other.podClass] || one.before - other.before);
    const moreRuns = Int32Array.from(more.flatMap(({ before, podClass, count, group }) =>
      [this.runBehind(this.ranks[podClass], before), podClass, count, group]));
    let from = Math.min(this.ofNode[place], moreRuns[0] ?? this.question.runCount);
    for (let at = 0; at < uncounted.length; at += 3) from = Math.min(from, this.ofGroup[uncounted[at]]);
    return { from, goneNode: place, uncountedCount: uncounted.length / 3, uncounted, moreRunCount: more.length, moreRuns };
  }

  /** The first run that pods of this size and place among the groups come before. */
  private runBehind(rank: number, before: number): number {
    const { runs, runCount } = this.question;
    let [low, high] = [0, runCount];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const other = this.ranks[runs[middle * 3]];
      if (other < rank || (other === rank && this.indices[runs[middle * 3 + 2]] < before)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
