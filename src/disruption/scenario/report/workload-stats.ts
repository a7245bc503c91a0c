import { ClusterSize, TimeSeriesEntry, WorkloadReport } from './scenario-report';
import { InitialWorkload, WorkloadBaseline, workloadBaseline, workloadReport } from './workload-baseline';
import { PdbLimits } from '../../budgets/pdb-limits';
import { Instant } from '../../cluster';
import { hasJobEnded } from '../cluster/job-controller';
import { SimulatedCluster } from '../cluster/simulated-cluster';

interface WorkloadCounters {
  readonly initial: InitialWorkload;
  ready: number;
  lowestReady: number;
  millisecondsBelow: number;
}

/** Counts the ready pods of each workload over time, and reports in the timeline when a workload has none. */
export class WorkloadStats {
  public readonly timeSeries: TimeSeriesEntry[] = [];
  private readonly baseline: WorkloadBaseline;
  /** Hot path: only workloads whose numbers changed or may change without a change of their own pods. */
  private readonly counters = new Map<string, WorkloadCounters>();
  private readyPods: number;
  /** Up to here all numbers are counted. */
  private countedUntil: Instant;

  /** @param cluster a simulation that has not begun */
  public constructor(private readonly cluster: SimulatedCluster) {
    this.baseline = cluster.baseline.workloads ??= workloadBaseline(cluster);
    this.countedUntil = cluster.now;
    this.readyPods = this.baseline.readyPods;
    for (const initial of this.baseline.watched) this.countersOf(initial);
  }

  /** The size of the cluster at the start. */
  public get initialSize(): ClusterSize {
    return this.baseline.size;
  }

  /** Counts the current numbers up to this time. Call it before the clock advances. */
  public countUntil(instant: Instant): void {
    const changed = [...this.cluster.pods.takeChangedWorkloads()].flatMap((key) => this.baseline.byKey.get(key) ?? []);
    for (const initial of changed.sort((left, right) => left.index - right.index))
      this.updateReady(this.countersOf(initial));
    let computed: PdbLimits | undefined;
    const limits = () => (computed ??= new PdbLimits(this.cluster.snapshot(), this.cluster.session.pdbs));
    this.counters.forEach((counters) => {
      if (!this.hasEnded(counters) && isBelowBudget(counters, limits))
        counters.millisecondsBelow += instant - this.countedUntil;
    });
    const second = Math.round((this.countedUntil - this.cluster.start) / 1_000);
    this.addEntry({ second, nodes: this.cluster.nodes.size, readyPods: this.readyPods });
    this.countedUntil = instant;
  }

  public reports(): WorkloadReport[] {
    const { evictions: evictionCounts } = this.cluster.podLifecycle;
    return this.baseline.inNameOrder.map((initial) => {
      const { workload, unchangedReport, ready } = initial;
      const [counters, evictions] = [this.counters.get(workload), evictionCounts.get(workload)];
      if (counters === undefined && evictions === undefined) return unchangedReport;
      const { lowestReady, millisecondsBelow } = counters ?? { lowestReady: ready, millisecondsBelow: 0 };
      return workloadReport(initial, { lowestReady, millisecondsBelow, evictions: evictions ?? 0 });
    });
  }

  private countersOf(initial: InitialWorkload): WorkloadCounters {
    const { workload, ready } = initial;
    const counters = this.counters.get(workload) ?? { initial, ready, lowestReady: ready, millisecondsBelow: 0 };
    this.counters.set(workload, counters);
    return counters;
  }

  private updateReady(counters: WorkloadCounters): void {
    const {
      ready: previous,
      initial: { workload, replicas },
    } = counters;
    const ready = this.cluster.pods.readyCounts.get(workload) ?? 0;
    this.readyPods += ready - previous;
    counters.ready = ready;
    if (this.hasEnded(counters)) return;
    counters.lowestReady = Math.min(counters.lowestReady, ready);
    if ((ready === 0) === (previous === 0)) return;
    this.cluster.recordEvent(
      ready === 0 ? `${workload} has no pod ready` : `${workload} has ${ready} of ${replicas} ready again`,
    );
  }

  /** Whether the workload is a Job that its deadline has ended. */
  private hasEnded({ initial: { sample } }: WorkloadCounters): boolean {
    return hasJobEnded(sample, this.countedUntil);
  }

  /** Keeps only the last entry of each second. */
  private addEntry(entry: TimeSeriesEntry): void {
    const { timeSeries } = this;
    if (timeSeries.length > 0 && timeSeries[timeSeries.length - 1].second === entry.second) timeSeries.pop();
    const last = timeSeries[timeSeries.length - 1];
    if (last?.nodes !== entry.nodes || last.readyPods !== entry.readyPods) timeSeries.push(entry);
  }
}

function isBelowBudget(
  { ready, initial: { pdbs, sharesPdb, demanded, sample } }: WorkloadCounters,
  limits: () => PdbLimits,
): boolean {
  if (!sharesPdb) return ready < demanded;
  const current = limits().limitsOf(sample);
  return pdbs.some(
    ({ key, desiredHealthy }) => current.find((limit) => limit.key === key)!.currentHealthy < desiredHealthy,
  );
}
