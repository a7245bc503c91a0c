import { ClusterNode, ClusterPod } from '../cluster';
import { carryOver } from '../nodes-in-motion';
import { WorldNode } from './world-node';

/** The nodes as Karpenter sees them, in one list as long as nothing of them changes. From one moment to the next few are others, and these alone are asked. */
export class ShownNodes {
  private list?: readonly ClusterNode[];
  private readonly changed = new Set<WorldNode>();

  /**
   * @param podsOn the pods on a node as Karpenter sees them
   * @param taints whether anybody looks at the taint of nodes that are to go
   */
  public constructor(
    private readonly nodes: ReadonlyMap<string, WorldNode>, private readonly podsOn: (node: string) => readonly ClusterPod[],
    private readonly taints: boolean,
  ) {}

  public get all(): readonly ClusterNode[] {
    if (this.list === undefined) this.list = this.gather();
    else if (this.changed.size > 0) this.list = this.renew(this.list);
    this.changed.clear();
    return this.list;
  }

  /** One of them is another now. */
  public change(state: WorldNode): void {
    this.changed.add(state);
  }

  /** There is another, or one less. */
  public forget(): void {
    this.list = undefined;
  }

  private gather(): readonly ClusterNode[] {
    const found = new Array<ClusterNode>(this.nodes.size);
    let at = 0;
    this.nodes.forEach((state) => {
      state.place = at;
      found[at++] = state.seen(this.podsOn, this.taints);
    });
    return found;
  }

  private renew(list: readonly ClusterNode[]): readonly ClusterNode[] {
    const next = list.slice();
    const places = Array.from(this.changed, ({ place }) => place!);
    for (const state of this.changed) next[state.place!] = state.seen(this.podsOn, this.taints);
    carryOver(list, next, places);
    return next;
  }
}
