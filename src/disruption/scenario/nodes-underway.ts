import { WorldNode } from './world-node';

/** Nodes that come, go, or are to be taken away, in the order of all: of hundreds few do, at thousands of moments. */
export class NodesUnderway {
  private readonly found = new Set<WorldNode>();
  private list?: readonly WorldNode[];

  /** The same list as long as these are. */
  public get all(): readonly WorldNode[] {
    return this.list ??= [...this.found].sort((left, right) => left.number - right.number);
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
