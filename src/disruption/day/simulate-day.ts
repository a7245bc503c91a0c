import { DayPlan, ScaledWorkload, ScheduledJob } from './day-plan';
import { DayReport, DayStats } from './day-stats';
import { RolloutController, RolloutPods } from './rollout-controller';
import { WorkloadScaler } from './workload-scaler';
import { Instant, ClusterPod } from '../cluster';
import { ScheduledEvent } from '../scenario/cluster/event-queue';
import { SimulatedCluster } from '../scenario/cluster/simulated-cluster';
import { workloadKeyOf } from '../scenario/cluster/simulated-pod';
import { CONSOLIDATION_METHODS } from '../scenario/controllers/disruption/next-opportunity';
import { ScenarioStart, startedCluster } from '../scenario/scenario-start';
import { simulate } from '../scenario/simulate';

const SECOND = 1_000;

/** The start of a day. */
export interface DayStart extends Omit<ScenarioStart, 'start'> {
  /** When the day begins that is counted. */
  readonly dayStart: Instant;
  /** @default - shared with no other day */
  readonly rolloutPods?: RolloutPods;
}

/**
 * The part of a day that is simulated before it, because the first nodes are those of a new cluster. Consolidation
 * forgets them within hours; with WhenEmpty they stay until they are empty.
 */
const WARM_UP = { WhenEmpty: 1, others: 1 / 3 };

/** Simulates the day before or its last third, and then the day, which alone is counted. */
export function simulateDay(
  { baseline, dayStart, times, onTick, maxWork, rolloutPods }: DayStart,
  plan: DayPlan,
): DayReport {
  const length = plan.seconds * SECOND;
  const keepsNodes = [...baseline.cluster.pools.values()].some((pool) => pool.consolidationPolicy === 'WhenEmpty');
  const warmUp = Math.round(plan.seconds * (keepsNodes ? WARM_UP.WhenEmpty : WARM_UP.others));
  const start = dayStart - warmUp * SECOND;
  const cluster = startedCluster({
    baseline,
    start,
    times: { ...times, horizon: warmUp + plan.seconds },
    onTick,
    maxWork,
  });
  const scaler = new WorkloadScaler(cluster);
  const wanted = new Map<string, number>();
  const rollouts = new RolloutController(scaler, (workload) => wanted.get(workload), rolloutPods);
  const jobs = new JobStarter(cluster, scaler);
  const scale = (changes: readonly WantedReplicas[]) => {
    for (const { workload, replicas } of changes) wanted.set(workload.key, replicas);
    scaler.want(new Map(changes.map(({ workload, replicas }) => [workload.key, replicas])));
    const { live } = scaler.podsOf(new Set(changes.map(({ workload }) => workload.key)));
    for (const { workload, replicas } of changes) {
      if (rollouts.isRunning(workload.key)) continue;
      const pod = rollouts.templateOf(workload.key, workload.pod);
      scaler.scale({ key: workload.key, pod }, live.get(workload.key)!, replicas);
    }
  };
  const events = [dayStart - length, dayStart].flatMap((day): ScheduledEvent[] => [
    ...changesByTime(plan.scaled).map(([second, changes]) => ({
      at: day + second * SECOND,
      apply: () => scale(changes),
    })),
    ...plan.jobs.flatMap((job) =>
      job.starts.map((second) => ({ at: day + second * SECOND, apply: () => jobs.start(job) })),
    ),
    ...plan.rollouts.map((rollout) => ({
      at: day + rollout.second * SECOND,
      apply: () => rollouts.start(rollout),
    })),
  ]);
  const end = dayStart + length;
  const stats = new DayStats(cluster, dayStart, (workload) => rollouts.isRunning(workload));
  const { stopped = false } = simulate(cluster, {
    scenario: 'day',
    events: [
      { at: start, apply: () => scale(changesBefore(plan.scaled, plan.seconds - warmUp)) },
      ...events.filter(({ at }) => at >= start),
      { at: dayStart, apply: () => undefined },
    ],
    methods: CONSOLIDATION_METHODS,
    onTick,
    isLong: true,
    reconcileWorkloads: () => rollouts.reconcile(),
    beforeAdvance: (next) => stats.countUntil(Math.min(next, end)),
  });
  if (!stopped) stats.countUntil(end);
  return stats.report(stopped);
}

interface WantedReplicas {
  readonly workload: ScaledWorkload;
  readonly replicas: number;
}

/** The replicas of all workloads at a time of the day. */
function changesBefore(scaled: readonly ScaledWorkload[], second: number): WantedReplicas[] {
  return scaled.map((workload) => ({
    workload,
    replicas: workload.changes.reduce((last, change) => (change.second <= second ? change.replicas : last), 0),
  }));
}

/** The changes of all workloads at the same time are one event, because each event looks through all pods. */
function changesByTime(scaled: readonly ScaledWorkload[]): Array<[number, WantedReplicas[]]> {
  const bySecond = new Map<number, WantedReplicas[]>();
  for (const workload of scaled) {
    for (const { second, replicas } of workload.changes) {
      const changes = bySecond.get(second) ?? [];
      bySecond.set(second, changes);
      changes.push({ workload, replicas });
    }
  }
  return [...bySecond].sort(([left], [right]) => left - right);
}

/** Starts the runs of Jobs and CronJobs. When a pod has completed, the next one of its run is created. */
class JobStarter {
  /** Pods that runs have still to create, by `workloadKey`. */
  private readonly uncreated = new Map<string, number>();
  private readonly jobs = new Map<string, ScheduledJob>();

  public constructor(
    cluster: SimulatedCluster,
    private readonly scaler: WorkloadScaler,
  ) {
    cluster.podLifecycle.onCompleted = (pod) => this.continueAfter(pod);
  }

  public start(job: ScheduledJob): void {
    const { key, concurrency, parallelism, completions } = job;
    const running = concurrency === 'Allow' ? [] : this.scaler.podsOf(new Set([key])).live.get(key)!;
    if (concurrency === 'Forbid' && running.length > 0) return;
    this.scaler.remove(running, running.length);
    const atOnce = Math.min(parallelism, completions);
    const left = concurrency === 'Replace' ? 0 : (this.uncreated.get(key) ?? 0);
    this.jobs.set(key, job);
    this.uncreated.set(key, left + completions - atOnce);
    this.scaler.create(job, atOnce);
  }

  private continueAfter(pod: ClusterPod): void {
    const key = workloadKeyOf(pod);
    const job = key === undefined ? undefined : this.jobs.get(key);
    const left = job ? this.uncreated.get(job.key)! : 0;
    if (!job || left === 0) return;
    this.uncreated.set(job.key, left - 1);
    this.scaler.create(job, 1);
  }
}
