import { ReplicaChange } from '../../../disruption';

const HOUR = 3_600;
export const DAY = 24 * HOUR;
/** The curve is followed every five minutes. */
const STEP = 300;
/** UTC hour of the least load. The most is twelve hours later. */
const LEAST_AT = 4;

/** In words, for the assumptions. */
export const DAY_CURVE =
  'each HorizontalPodAutoscaler and ScaledObject follows a cosine from its fewest replicas at 04:00 to its most at 16:00 UTC, in steps of five minutes, and five minutes late on the way down';

/** How much of its range a HorizontalPodAutoscaler uses at a time of the day, from 0 to 1. */
function shareAt(second: number): number {
  return (1 - Math.cos((2 * Math.PI * (second / HOUR - LEAST_AT)) / 24)) / 2;
}

/**
 * The replicas of a day between the limits of a HorizontalPodAutoscaler. It scales down only after the load has been
 * lower for five minutes, which is the default of Kubernetes.
 */
export function dayCurve(min: number, max: number): ReplicaChange[] {
  const changes: ReplicaChange[] = [];
  for (let second = 0; second < DAY; second += STEP) {
    const share = Math.max(shareAt(second), shareAt(second - STEP));
    const replicas = min + Math.round((max - min) * share);
    if (changes[changes.length - 1]?.replicas !== replicas) changes.push({ second, replicas });
  }
  return changes;
}
