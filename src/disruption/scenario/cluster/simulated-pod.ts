import { clonePod } from '../../clone';
import { ClusterPod, Instant, workloadKey } from '../../cluster';
import { ScenarioTimes } from '../scenario-times';

const SECOND = 1_000;
/** Karpenter stops waiting for a pod that is still there more than a minute after its grace period. In milliseconds. */
const STUCK_AFTER = 60_001;

export type PodPhase = 'pending' | 'starting' | 'ready' | 'terminating';

/** A pod during a simulation. Only `SimulatedPods.update` changes it. */
export interface SimulatedPod {
  readonly pod: ClusterPod;
  readonly phase: PodPhase;
  /** @default - the pod is pending */
  readonly node?: string;
  /** When the phase ends. @default - something else ends it */
  readonly phaseEnds?: Instant;
  /** When the kubelet kills the pod at the latest, if it is terminating. */
  readonly killDeadline?: Instant;
  /** Whether the pod never terminates. At the end of its phase, Karpenter only stops waiting for it. @default false */
  readonly neverTerminates?: boolean;
}

/** The workload that a pod counts for: none for bare pods, mirror pods and pods of DaemonSets. */
export function workloadKeyOf({ namespace, owner, daemon }: ClusterPod): string | undefined {
  return !owner || daemon || owner.kind === 'Node' ? undefined : workloadKey(namespace, owner);
}

/** The pod as the API server returns it. */
export function podSnapshot(pod: ClusterPod, phase: PodPhase): ClusterPod {
  const snapshot = clonePod(pod);
  snapshot.ready = phase === 'ready';
  if (phase === 'terminating') snapshot.terminating = true;
  return snapshot;
}

/** All pods that are not terminating start ready. */
export function initialPhase({ terminating }: ClusterPod): PodPhase {
  return terminating ? 'terminating' : 'ready';
}

/** How a pod terminates. The fields have the meaning of those of `SimulatedPod`. */
export interface PodTermination {
  /** When the pod is removed, or when Karpenter stops waiting for it. Absent if Karpenter no longer waits for it. */
  readonly phaseEnds?: Instant;
  readonly killDeadline: Instant;
  readonly neverTerminates: boolean;
}

/** @param grace its grace period in seconds */
export function podTermination(
  startedAt: Instant,
  grace: number,
  { podStop }: ScenarioTimes,
): Required<PodTermination> {
  return {
    phaseEnds: startedAt + Math.min(podStop, grace) * SECOND,
    killDeadline: startedAt + grace * SECOND,
    neverTerminates: false,
  };
}

/** The termination of a pod on an unreachable node, whose kubelet does not act on it. */
export function unreachableTermination(startedAt: Instant, grace: number): Required<PodTermination> {
  const killDeadline = startedAt + grace * SECOND;
  return { phaseEnds: killDeadline + STUCK_AFTER, killDeadline, neverTerminates: true };
}

/**
 * The rest of a termination that started before the scenario. The pod is removed as usual, or at its deadline, or never
 * if that has passed.
 */
export function resumedTermination(
  { killDeadline: deadline, terminationGraceSeconds: grace = 30 }: ClusterPod,
  now: Instant,
  times: ScenarioTimes,
): PodTermination {
  const killDeadline = deadline ?? now + grace * SECOND;
  const { phaseEnds } = podTermination(killDeadline - grace * SECOND, grace, times);
  if (phaseEnds > now) return { phaseEnds, killDeadline, neverTerminates: false };
  if (killDeadline > now) return { phaseEnds: killDeadline, killDeadline, neverTerminates: false };
  const stuckAt = killDeadline + STUCK_AFTER;
  return { killDeadline, neverTerminates: true, ...(stuckAt > now ? { phaseEnds: stuckAt } : {}) };
}
