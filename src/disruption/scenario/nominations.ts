import { Instant } from '../cluster';
import { copyOfNode } from '../copies';
import { WorldNode } from './world-node';
import { WorldPod } from './world-pods';

/** For as long Karpenter keeps a node for pods. */
const NOMINATION = 20_000;
/** Milliseconds between two looks of its provisioner, as long as pods wait or are on nodes that go. */
const BETWEEN_LOOKS = 10_000;

/**
 * The nodes that Karpenter keeps for pods that are to come to them: it leaves these alone. Each look of its provisioner keeps them anew, so
 * that they are kept for as long as the pods are on their way, and some time beyond.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/controller.go
 */
export class Nominations {
  private held: ReadonlySet<string> = new Set();
  private isWoken = false;
  /** Pods that have woken it. */
  private readonly known = new WeakSet<WorldPod>();

  /** @param looked when the provisioner last has */
  public constructor(private readonly nodes: ReadonlyMap<string, WorldNode>, private looked: Instant) {}

  /** Keeps a node once. */
  public keep(name: string, now: Instant): void {
    this.keepUntil(name, now + NOMINATION);
  }

  public keepUntil(name: string, until: Instant): void {
    if (!this.held.has(name)) this.until(name, until);
  }

  /** For how long nodes are kept that are not held for pods, by name. */
  public kept(now: Instant): ReadonlyMap<string, number> {
    const kept = new Map<string, number>();
    this.nodes.forEach(({ node: { nominatedUntil = now } }, name) => {
      if (nominatedUntil > now && nominatedUntil < Infinity) kept.set(name, nominatedUntil - now);
    });
    return kept;
  }

  /** A node is to go: the provisioner looks at once. */
  public wake(): void {
    this.isWoken = true;
  }

  /** The same where one of the pods that wait is new. */
  public wakeFor(waiting: readonly WorldPod[]): void {
    for (const pod of waiting) {
      if (this.known.has(pod)) continue;
      this.known.add(pod);
      this.isWoken = true;
    }
  }

  /** When it looks next, which can be now. */
  public nextLook(now: Instant): Instant {
    return this.isWoken ? now : this.lookBefore(now) + BETWEEN_LOOKS;
  }

  /**
   * Pods have other places to come to.
   *
   * @param names of their nodes, which may not be up yet
   * @param isLook whether it is the provisioner that has found these
   * @returns whether any node is kept no longer than some time from now on
   */
  public hold(names: ReadonlySet<string>, now: Instant, isLook: boolean): boolean {
    const released = [...this.held].filter((name) => !names.has(name));
    for (const name of released) this.until(name, this.lookBefore(now) + NOMINATION);
    for (const name of names) if (!this.held.has(name)) this.until(name, Infinity);
    this.held = names;
    if (isLook) this.looked = now;
    this.isWoken = false;
    return released.length > 0;
  }

  /** The last look but that of this moment: it looks every so often. */
  private lookBefore(now: Instant): Instant {
    return this.looked + Math.max(0, Math.ceil((now - this.looked) / BETWEEN_LOOKS) - 1) * BETWEEN_LOOKS;
  }

  private until(name: string, nominatedUntil: Instant): void {
    const state = this.nodes.get(name);
    if (!state) return;
    const node = copyOfNode(state.node);
    node.nominatedUntil = nominatedUntil;
    state.node = node;
  }
}
