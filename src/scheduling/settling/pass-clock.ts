/** Karpenter looks at each pending pod again after this time, in seconds. */
export const REQUEUE = 10;
/** A pass begins when no pod has triggered one for this time, in seconds. */
export const BATCH_IDLE = 1;
/** A pass begins at the latest this long after the first trigger, in seconds. */
const BATCH_MAX = 10;

/**
 * When Karpenter's provisioner runs. A pending pod triggers a pass when it is created, every ten seconds after that,
 * and whenever kube-scheduler writes into its status why no node takes it. Triggers within a second of each other are
 * one batch. Time is in seconds since the first pass.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/controller.go
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/batcher.go
 */
export class PassClock {
  private batch?: { readonly first: number; last: number };

  /** When the next pass begins; `Infinity` without a trigger. */
  public get nextPass(): number {
    return this.batch ? Math.min(this.batch.last + BATCH_IDLE, this.batch.first + BATCH_MAX) : Infinity;
  }

  public trigger(time: number): void {
    if (this.batch) this.batch.last = time;
    else this.batch = { first: time, last: time };
  }

  /** Ends the batch: its pass begins. */
  public startPass(): void {
    this.batch = undefined;
  }
}

/**
 * When pods trigger a pass after `now`.
 *
 * @param created when the pending pods were created
 */
export function nextRequeue(created: Iterable<number>, now: number): number {
  let next = Infinity;
  for (const time of created) {
    const rounds = Math.floor((now - time) / REQUEUE) + 1;
    next = Math.min(next, time + Math.max(0, rounds) * REQUEUE);
  }
  return next;
}
