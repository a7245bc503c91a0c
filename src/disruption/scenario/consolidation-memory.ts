import { Instant } from '../cluster';
import { DisruptionMethod } from '../command';

/** Milliseconds between two looks at a cluster that nothing is to be done about. */
export const POLL = 10_000;
/** Milliseconds after which Karpenter looks again though it knows of no change. */
const FORGETS = 300_000;

/**
 * That a method of consolidation has found nothing to do, which Karpenter remembers as long as the cluster stays as it is: a node that comes or
 * goes, or is up, and a pod that comes to a node or is gone, are changes. That consolidateAfter is over, that pods have become ready, or that
 * hours of a budget are over is none: it is seen up to five minutes later.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/state/cluster.go
 */
export class ConsolidationMemory {
  private readonly settled = new Set<DisruptionMethod>();
  /** Since when it looks every so often. */
  private awake: Instant;

  /** @param since when the cluster last changed, or was last taken for changed */
  public constructor(private since: Instant) {
    this.awake = since;
  }

  /** The cluster has changed. */
  public change(now: Instant): void {
    this.since = now;
    this.settled.clear();
  }

  /** Up to now it has waited to look at a decision once more, and at nothing else. */
  public wake(now: Instant): void {
    this.awake = now;
  }

  /** The method has found nothing, and no budget was in its way. */
  public settle(method: DisruptionMethod, now: Instant): void {
    this.renew(now);
    this.settled.add(method);
  }

  /** Whether the method is not to look. */
  public isSettled(method: DisruptionMethod, now: Instant): boolean {
    this.renew(now);
    return this.settled.has(method);
  }

  /** When it is forgotten, if nothing changes before. */
  public get until(): Instant {
    return this.since + FORGETS;
  }

  /** Looks that came to nothing are not played: after each it remembers for as long again. */
  private renew(now: Instant): void {
    while (this.until <= now) {
      const look = now - Math.floor((now - Math.max(this.until, this.awake)) / POLL) * POLL;
      this.since = look;
      if (look === now) this.settled.clear();
    }
  }
}
