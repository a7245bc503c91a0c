import { QuestionPart, Variations } from '../../kernel';
import { NodeView } from '../existing-nodes';
import { PodClass } from '../pod-classes';
import { ExistingNode } from '../schedule-input';
import { NodeTables } from './node-tables';
import { MorePods, NodeGone } from './nodes-gone';

const NEVER = 0x7fffffff;
const NOT_ASKED = [-1, 0, 0, 0, 0, 0] as const;

interface Marked {
  readonly question: Pick<QuestionPart, 'runs' | 'runCount' | 'nodeCount'>;
  /** How it is answered. */
  readonly placements: Int32Array;
  readonly classes: readonly PodClass[];
  /** Per class its place among the sizes. */
  readonly ranks: Int32Array;
  /** Per group that is scheduled: its place among all groups. */
  readonly indices: readonly number[];
  readonly topologyGroups: number;
  readonly views: readonly NodeView[];
}

/** What of the queue is placed otherwise where a node is gone: all before it is as in the question itself. */
export class QueueMarks {
  /** The first node that is not up yet. */
  public readonly firstNodeNotUp: number;
  /** Per topology group: the first run that it constrains. */
  private readonly ofGroup: Int32Array;
  private readonly ofNode: Int32Array;

  public constructor(private readonly marked: Marked) {
    const { question: { runs, runCount, nodeCount }, placements, classes, indices, topologyGroups, views } = marked;
    const notUp = views.findIndex(({ node }) => !node.initialized);
    this.firstNodeNotUp = notUp < 0 ? views.length : notUp;
    this.ofGroup = new Int32Array(topologyGroups).fill(NEVER);
    this.ofNode = new Int32Array(nodeCount).fill(NEVER);
    const runOf = new Int32Array(indices.length);
    for (let run = runCount - 1; run >= 0; run--) {
      runOf[runs[run * 3 + 2]] = run;
      const { variants, guards } = classes[runs[run * 3]];
      for (const group of guards) this.ofGroup[group] = run;
      for (const { topologies } of variants) for (const group of topologies) this.ofGroup[group] = run;
    }
    for (let at = 0; at < placements.length; at += 2) {
      const node = -1 - placements[at + 1];
      if (node >= 0) this.ofNode[node] = Math.min(this.ofNode[node], runOf[placements[at]]);
    }
  }

  /**
   * Those of nodes gone, as the kernel has them. It is not asked where more than the pods is different.
   *
   * @param more per node its pods, where these can be asked about
   */
  public variations(
    gone: readonly NodeGone[], more: ReadonlyArray<MorePods | undefined>, table: NodeTables, nodes: readonly ExistingNode[],
  ): Variations {
    const heads: number[] = [];
    const words: number[] = [];
    gone.forEach((each, at) => {
      const pods = more[at];
      const without = pods && table.without(nodes[each.node], each.left);
      if (pods === undefined || without === undefined) {
        heads.push(...NOT_ASKED);
        return;
      }
      const { place, uncounted } = without;
      const uncountedAt = words.length;
      for (let word = 0; word < uncounted.length; word++) words.push(uncounted[word]);
      const moreAt = words.length;
      this.writeRuns(each, pods, words);
      let from = Math.min(this.ofNode[place], pods.order.length === 0 ? this.marked.question.runCount : words[moreAt]);
      for (let word = 0; word < uncounted.length; word += 3) from = Math.min(from, this.ofGroup[uncounted[word]]);
      heads.push(from, place, uncountedAt, uncounted.length / 3, moreAt, pods.order.length);
    });
    return { count: gone.length, heads, words };
  }

  private writeRuns({ groups, before }: NodeGone, { classOf, order }: MorePods, words: number[]): void {
    const { ranks, indices } = this.marked;
    for (const at of order) words.push(this.runBehind(ranks[classOf[at]], before[at]), classOf[at], groups[at].count, indices.length + at);
  }

  /** The first run that pods of this size and place among the groups come before. */
  private runBehind(rank: number, before: number): number {
    const { question: { runs, runCount }, ranks, indices } = this.marked;
    let [low, high] = [0, runCount];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const other = ranks[runs[middle * 3]];
      if (other < rank || (other === rank && indices[runs[middle * 3 + 2]] < before)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
