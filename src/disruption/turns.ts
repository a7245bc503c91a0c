import { Candidate, findCandidates, Scene } from './candidates';
import { ClusterNode } from './cluster';
import { Refusal } from './command';
import { heldByBudget } from './within-budgets';

/**
 * Nodes in the order in which a method tries them: those that may go, as all of it was when the pass began. A pass most often ends with one of the
 * first, so that each is looked at when its turn comes.
 */
export class Turns {
  /** Those that may go, as far as they have been looked at. */
  private readonly found: Candidate[] = [];
  private readonly held = new Map<ClusterNode, Refusal>();
  private readonly blocked = new Map<ClusterNode, Refusal>();
  private readonly refused = new Map<ClusterNode, Refusal>();
  private next = 0;

  /**
   * @param nodes in their order
   * @param isAllowed whether budgets let a node of the NodePool go
   */
  public constructor(
    private readonly scene: Scene, private readonly nodes: readonly ClusterNode[], private readonly isAllowed: (pool: string) => boolean,
  ) {}

  /** The candidate whose turn this is; undefined behind the last one. */
  public at(turn: number): Candidate | undefined {
    while (this.found.length <= turn && this.next < this.nodes.length) this.lookAt(this.nodes[this.next++]);
    return this.found[turn];
  }

  public slice(from: number, to: number): readonly Candidate[] {
    this.at(to - 1);
    return this.found.slice(from, to);
  }

  public refuse({ node }: Candidate, refusal: Refusal): void {
    this.refused.set(node, refusal);
  }

  /**
   * Of nodes that may not go at all first, in the order of the cluster.
   *
   * @param last those behind it have not had their turn; all have by default
   */
  public refusals(last?: Candidate): Refusal[] {
    this.at(this.nodes.length);
    const had = last ? this.nodes.slice(0, this.nodes.indexOf(last.node)) : this.nodes;
    return [
      ...this.scene.cluster.nodes.flatMap((node) => this.blocked.get(node) ?? []),
      ...had.flatMap((node) => this.held.get(node) ?? this.refused.get(node) ?? []),
    ];
  }

  private lookAt(node: ClusterNode): void {
    const { candidates: [candidate], blocked: [block] } = findCandidates(this.scene, 'eventual', [node]);
    if (block) this.blocked.set(node, { nodes: [block.node], why: block.why });
    else if (this.isAllowed(candidate.nodePool)) this.found.push(candidate);
    else this.held.set(node, heldByBudget(node.name, candidate.nodePool));
  }
}
