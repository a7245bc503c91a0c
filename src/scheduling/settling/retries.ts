/** kube-scheduler's backoff after the first failed attempt, in seconds. Each further attempt doubles it. */
const FIRST_BACKOFF = 1;
const MAX_BACKOFF = 10;
/** Later than the time of any attempt. */
const IN_BACKOFF = 1e6;

/**
 * In which order kube-scheduler tries pending pods again when a node becomes ready: first the pods whose backoff is
 * over, from the oldest attempt on, then the others in the order in which their backoff ends. So pods that were created
 * later overtake pods that have failed several times. All pods of a group are tried together.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.1/pkg/scheduler/backend/queue/backoff_queue.go
 */
export class Retries {
  private readonly attempts: number[];
  private readonly lastAttempt: number[];

  public constructor(groupCount: number) {
    this.attempts = new Array<number>(groupCount).fill(0);
    this.lastAttempt = new Array<number>(groupCount).fill(0);
  }

  /** No node takes the remaining pods of the group. */
  public failed(group: number, time: number): void {
    this.attempts[group]++;
    this.lastAttempt[group] = time;
  }

  /** Pods of groups with a lower rank are tried first. */
  public rank(group: number, now: number): number {
    const attempts = this.attempts[group];
    if (attempts === 0) return Infinity;
    const last = this.lastAttempt[group];
    const end = Math.floor(last + Math.min(FIRST_BACKOFF * 2 ** (attempts - 1), MAX_BACKOFF));
    return end < Math.floor(now) ? last : IN_BACKOFF + end;
  }
}
