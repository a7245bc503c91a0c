import { Instant } from '../cluster';

/** Milliseconds, as Karpenter's eviction queue has them. */
const FIRST = 100;
const MOST = 10_000;

/**
 * When the eviction queue next looks at a pod that it has not been able to evict: each time it waits twice as long as before, and ten seconds
 * at the most.
 *
 * @param since when it first looked
 * @param from not before then
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/eviction.go
 */
export function nextAttempt(since: Instant, from: Instant): Instant {
  if (from === Infinity) return Infinity;
  let at = since;
  let delay = FIRST;
  for (; at < from && delay < MOST; delay *= 2) at += delay;
  return at >= from ? at : at + Math.ceil((from - at) / MOST) * MOST;
}
