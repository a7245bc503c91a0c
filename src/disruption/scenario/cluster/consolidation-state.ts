import { Instant } from '../../cluster';
import { ConsolidatedMethods } from '../../controller';
import { DisruptionMethod } from '../../types';

/** Milliseconds between two passes of the disruption controller. */
export const POLL_INTERVAL = 10_000;
/** After this many milliseconds Karpenter runs a method again, even if it knows of no change. */
const CONSOLIDATED_FOR = 300_000;

/**
 * The consolidation methods that found nothing to do. Karpenter skips them until the cluster changes: a node comes,
 * goes or is initialized, or a pod is bound or deleted. It does not notice the end of consolidateAfter, ready pods, or
 * the end of a budget's schedule, so these take effect up to five minutes later.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/cluster.go
 */
export class ConsolidationState implements ConsolidatedMethods {
  private readonly consolidated = new Set<DisruptionMethod>();
  /** Since when Karpenter polls every 10 seconds. */
  private pollingSince: Instant;

  /** @param changedAt when the cluster last changed, or Karpenter last assumed so */
  public constructor(private changedAt: Instant) {
    this.pollingSince = changedAt;
  }

  public recordChange(now: Instant): void {
    this.changedAt = now;
    this.consolidated.clear();
  }

  /** Karpenter has not polled until now, because a command waited for its validation. */
  public resumePolling(now: Instant): void {
    this.pollingSince = now;
  }

  /** The method found nothing to do, and no budget was the reason. */
  public markConsolidated(method: DisruptionMethod, now: Instant): void {
    this.expire(now);
    this.consolidated.add(method);
  }

  /** Whether the method is skipped. */
  public isConsolidated(method: DisruptionMethod, now: Instant): boolean {
    this.expire(now);
    return this.consolidated.has(method);
  }

  /** When all methods run again, if nothing changes before. */
  public get expiresAt(): Instant {
    return this.changedAt + CONSOLIDATED_FOR;
  }

  /** Passes that find nothing are not simulated, but each one starts another five minutes. */
  private expire(now: Instant): void {
    while (this.expiresAt <= now) {
      const pass =
        now - Math.floor((now - Math.max(this.expiresAt, this.pollingSince)) / POLL_INTERVAL) * POLL_INTERVAL;
      this.changedAt = pass;
      if (pass === now) this.consolidated.clear();
    }
  }
}
