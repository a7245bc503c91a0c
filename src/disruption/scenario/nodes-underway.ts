import { ClusterNode } from '../cluster';
import { WorldNode } from './world-node';

/** A node that is being deleted, and its place in the list of all. */
export interface GoingNode {
  readonly node: ClusterNode;
  readonly place: number;
}

/** Nodes that come, go, or are to be taken away, in the order of all: of hundreds few do, at thousands of moments. */
export class NodesUnderway {
  private readonly found = new Set<WorldNode>();
  private list?: readonly WorldNode[];
  private going?: { readonly of: readonly ClusterNode[]; readonly found: readonly GoingNode[] };

  /** The same list as long as these are. */
  public get all(): readonly WorldNode[] {
    return this.list ??= [...this.found].sort((left, right) => left.number - right.number);
  }

  /**
   * Those that are being deleted: the same list as long as that of all stays.
   *
   * @param nodes all, as they are seen now
   */
  public goingIn(nodes: readonly ClusterNode[]): readonly GoingNode[] {
    if (this.going?.of === nodes) return this.going.found;
    const found: GoingNode[] = [];
    for (const { isGoing, place } of this.all) if (isGoing) found.push({ node: nodes[place!], place: place! });
    this.going = { of: nodes, found };
    return found;
  }

  /** Something of the node has changed. */
  public follow(state: WorldNode): void {
    const isUnderway = state.phase !== 'up' || state.endsAt !== undefined;
    if (isUnderway === this.found.has(state)) return;
    if (isUnderway) this.found.add(state);
    else this.found.delete(state);
    this.list = undefined;
  }

  /** The node is gone. */
  public forget(state: WorldNode): void {
    if (this.found.delete(state)) this.list = undefined;
  }
}
