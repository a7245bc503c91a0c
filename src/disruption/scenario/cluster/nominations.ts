import { SimulatedNode } from './simulated-node';
import { cloneNode } from '../../clone';
import { Instant } from '../../cluster';

/** Milliseconds for which Karpenter nominates a node. */
const NOMINATION_PERIOD = 20_000;

/**
 * Nodes that are nominated for pods. Karpenter does not disrupt them. Each run of the provisioner renews the
 * nominations, so they last as long as the pods are pending, and 20 seconds beyond the last run.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/cluster.go
 */
export class Nominations {
  /** Names of the nodes whose nomination is renewed. */
  private renewed: ReadonlySet<string> = new Set();

  public constructor(private readonly nodes: ReadonlyMap<string, SimulatedNode>) {}

  /** Nominates a node once. */
  public nominate(name: string, now: Instant): void {
    this.nominateUntil(name, now + NOMINATION_PERIOD);
  }

  /** Has no effect on a node whose nomination is renewed. */
  public nominateUntil(name: string, until: Instant): void {
    if (!this.renewed.has(name)) this.set(name, until);
  }

  /** For each node that is nominated once, the remaining milliseconds. */
  public remaining(now: Instant): ReadonlyMap<string, number> {
    const remaining = new Map<string, number>();
    this.nodes.forEach(({ node: { nominatedUntil = now } }, name) => {
      if (nominatedUntil > now && nominatedUntil < Infinity) remaining.set(name, nominatedUntil - now);
    });
    return remaining;
  }

  /**
   * Replaces the nodes whose nominations are renewed.
   *
   * @param names nodes for which pods are pending; they may be launching
   * @param previousRun when the provisioner last renewed the nominations of the other nodes
   * @returns whether the nomination of a node now has an end
   */
  public renew(names: ReadonlySet<string>, previousRun: Instant): boolean {
    const released = [...this.renewed].filter((name) => !names.has(name));
    for (const name of released) this.set(name, previousRun + NOMINATION_PERIOD);
    for (const name of names) if (!this.renewed.has(name)) this.set(name, Infinity);
    this.renewed = names;
    return released.length > 0;
  }

  private set(name: string, nominatedUntil: Instant): void {
    const state = this.nodes.get(name);
    if (!state) return;
    const node = cloneNode(state.node);
    node.nominatedUntil = nominatedUntil;
    state.node = node;
  }
}
