import { Instant } from '../cluster';

/** Karpenter looks again at every pod that waits. */
const BETWEEN_PASSES = 10_000;
/** So many passes in a row that leave as many pods are followed: a label that nodes turn out not to have makes it launch for the same pods again. */
const MOST_IN_VAIN = 3;

/**
 * When Karpenter next looks for nodes, if nothing happens before: as soon as new nodes are launched, pods may come to others that these have put off by
 * what they could have been, or by where.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/controller.go
 */
export class NextPass {
  private due: Instant = Infinity;
  private left = Infinity;
  private inVain = 0;
  private isAnother = false;

  public get at(): Instant {
    return this.due;
  }

  /** Whether the one at hand is it. */
  public get hasBegun(): boolean {
    return this.isAnother;
  }

  /** Whether it is to be now; then the one at hand is it. */
  public begins(now: Instant): boolean {
    if (this.due > now) return false;
    this.due = Infinity;
    this.isAnother = true;
    return true;
  }

  /** @param left pods that have no node to come */
  public after(now: Instant, isAnyLaunched: boolean, left: number): void {
    this.inVain = !this.isAnother || left < this.left ? 0 : this.inVain + 1;
    this.isAnother = false;
    this.left = left;
    this.due = isAnyLaunched && (left === 0 || this.inVain < MOST_IN_VAIN) ? now + BETWEEN_PASSES : Infinity;
  }

  /** There is something to launch. */
  public by(instant: Instant): void {
    this.due = Math.min(this.due, instant);
  }
}
