import { ClusterPod } from '../cluster';

/** A workload whose pods come and go during a day. */
export interface DayWorkload {
  /** Its `workloadKey`. */
  readonly key: string;
  /** What its new pods are like. */
  readonly pod: ClusterPod;
}

/** Wanted replicas from a time on. */
export interface ReplicaChange {
  /** Seconds since the start of the day. */
  readonly second: number;
  readonly replicas: number;
}

/** A workload with the replicas that an autoscaler sets. */
export interface ScaledWorkload extends DayWorkload {
  /** In order of time. The first one is at second 0, and the day begins and ends with the same load. */
  readonly changes: readonly ReplicaChange[];
}

/** A Job, or a CronJob with all its runs. Its pods end by themselves. */
export interface ScheduledJob extends DayWorkload {
  /** Seconds since the start of the day, one for each run. */
  readonly starts: readonly number[];
  /** Pods at the same time. */
  readonly parallelism: number;
  /** Pods of a run. */
  readonly completions: number;
  /** What a CronJob does if its last run has not ended. */
  readonly concurrency: 'Allow' | 'Forbid' | 'Replace';
}

/** A new pod template of a Deployment. */
export interface Rollout extends DayWorkload {
  /** Seconds since the start of the day. */
  readonly second: number;
  /** Replicas of the workload, unless an autoscaler sets them. */
  readonly replicas: number;
  /** A count or a percentage, as written. Undefined for the strategy Recreate. */
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

/** Everything that happens to workloads on a day. */
export interface DayPlan {
  readonly scaled: readonly ScaledWorkload[];
  readonly jobs: readonly ScheduledJob[];
  readonly rollouts: readonly Rollout[];
  /** How long the day is, in seconds. */
  readonly seconds: number;
}
