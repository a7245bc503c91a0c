import { ClusterPod, Instant } from '../cluster';
import { ScenarioTimes } from './scenario-times';

const SECOND = 1_000;
/** So many milliseconds after its grace period Karpenter no longer waits for a pod that does not end: when it is more than a minute. */
const STUCK = 60_001;

/** How a pod ends that is told to. */
export interface PodEnd {
  /** When it is gone, or when Karpenter no longer waits for it. Absent where it does not any more. */
  readonly until?: Instant;
  /** When its grace period is over. */
  readonly graceEnds: Instant;
  /** Whether it does not end at all, whatever it is told. */
  readonly stays: boolean;
}

/** @param grace seconds that it has */
export function endOf(told: Instant, grace: number, { podStop }: ScenarioTimes): Required<PodEnd> {
  return { until: told + Math.min(podStop, grace) * SECOND, graceEnds: told + grace * SECOND, stays: false };
}

/** Where nobody on its node hears of it. */
export function endOfUnheard(told: Instant, grace: number): Required<PodEnd> {
  const graceEnds = told + grace * SECOND;
  return { until: graceEnds + STUCK, graceEnds, stays: true };
}

/** Of one that was told before: as others end, or as late as it may, or never. */
export function endOfTold({ killedAt, terminationGraceSeconds: grace = 30 }: ClusterPod, now: Instant, times: ScenarioTimes): PodEnd {
  const graceEnds = killedAt ?? now + grace * SECOND;
  const { until } = endOf(graceEnds - grace * SECOND, grace, times);
  if (until > now) return { until, graceEnds, stays: false };
  if (graceEnds > now) return { until: graceEnds, graceEnds, stays: false };
  const abandoned = graceEnds + STUCK;
  return { graceEnds, stays: true, ...(abandoned > now ? { until: abandoned } : {}) };
}
