import { ScheduledJob } from './day-plan';
import { WorkloadScaler } from './workload-scaler';
import { ClusterPod } from '../cluster';
import { SimulatedCluster } from '../scenario/cluster/simulated-cluster';
import { workloadKeyOf } from '../scenario/cluster/simulated-pod';

/** Starts the runs of Jobs and CronJobs. When a pod has completed, the next one of its run is created. */
export class JobStarter {
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
