import { budgetRefusal } from '../budgets/disruption-budgets';
import { ClusterNode } from '../cluster';
import { ClusterState } from '../session';
import { Candidate, Refusal } from '../types';
import { findCandidates } from './candidates';

/**
 * Nodes in the order in which drift tries them, as they were when the pass began. Nodes are checked on demand, because
 * most passes end with one of the first candidates.
 */
export class CandidateQueue {
  /** The candidates among the nodes checked so far. */
  private readonly candidates: Candidate[] = [];
  private readonly blocked = new Map<ClusterNode, Refusal>();
  private readonly refused = new Map<ClusterNode, Refusal>();
  private next = 0;

  /**
   * @param nodes in their order
   * @param hasBudget whether the disruption budgets of a NodePool allow a node
   */
  public constructor(
    private readonly state: ClusterState,
    private readonly nodes: readonly ClusterNode[],
    private readonly hasBudget: (pool: string) => boolean,
  ) {}

  /** The candidate at an index; undefined beyond the last one. */
  public at(index: number): Candidate | undefined {
    while (this.candidates.length <= index && this.next < this.nodes.length) this.check(this.nodes[this.next++]);
    return this.candidates[index];
  }

  public slice(from: number, to: number): readonly Candidate[] {
    this.at(to - 1);
    return this.candidates.slice(from, to);
  }

  public refuse({ node }: Candidate, refusal: Refusal): void {
    this.refused.set(node, refusal);
  }

  /**
   * Blocked nodes come first, in cluster order; then refused nodes in the order in which they were tried.
   *
   * @param last the candidate that the pass ended with: nodes after it were not tried. By default all were.
   */
  public refusals(last?: Candidate): Refusal[] {
    this.at(this.nodes.length);
    const tried = last ? this.nodes.slice(0, this.nodes.indexOf(last.node)) : this.nodes;
    return [
      ...this.state.cluster.nodes.flatMap((node) => this.blocked.get(node) ?? []),
      ...tried.flatMap((node) => this.refused.get(node) ?? []),
    ];
  }

  private check(node: ClusterNode): void {
    const {
      candidates: [candidate],
      blocked: [block],
    } = findCandidates(this.state, 'eventual', [node]);
    if (block) this.blocked.set(node, { nodes: [block.node], why: block.why });
    else if (this.hasBudget(candidate.nodePool)) this.candidates.push(candidate);
    else this.refused.set(node, budgetRefusal(node.name, candidate.nodePool));
  }
}
