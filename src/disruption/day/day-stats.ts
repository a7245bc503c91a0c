import { costOf } from '../candidates/prices';
import { Instant } from '../cluster';
import { SimulatedCluster } from '../scenario/cluster/simulated-cluster';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** What a day does to a workload. */
export interface DayWorkloadReport {
  /** Kind, namespace and name. */
  readonly workload: string;
  /** Pods that were evicted, or deleted with their node. Pods that the workload itself removes do not count. */
  readonly evictions: number;
  /** The lowest share of its established pods that was ready. Undefined for Jobs. */
  readonly lowestReady?: ReadyShare;
}

/** How many of the pods that had been ready before were ready. */
export interface ReadyShare {
  readonly ready: number;
  readonly of: number;
}

/** The figures of a day. */
export interface DayReport {
  readonly nodeHours: number;
  /** Of the day, in the currency of the catalogue. */
  readonly cost: number;
  readonly leastNodes: number;
  readonly mostNodes: number;
  readonly launches: number;
  /** Nodes that were removed. */
  readonly removals: number;
  /** Hours from launch to removal, of the nodes that were removed; the lower median. Undefined if none was. */
  readonly medianLifetimeHours?: number;
  readonly evictions: number;
  /** Pods times minutes. */
  readonly pendingPodMinutes: number;
  /** Pods without a node at the end. */
  readonly pendingAtEnd: number;
  /** The lowest share of all workloads. Undefined if all established pods stayed ready. */
  readonly lowestReady?: ReadyShare & { readonly workload: string };
  /** Workloads with evictions, or with established pods that were not ready at a time; the most evictions first. */
  readonly workloads: readonly DayWorkloadReport[];
  /** Whether the simulation was too much work, and stopped before the end of the day. */
  readonly stopped: boolean;
}

interface Established {
  /** Pods that were ready, as far as the workload still wants them. */
  established: number;
  lowest?: ReadyShare;
}

/** Adds up the figures of a day from a time on. */
export class DayStats {
  private nodeMilliseconds = 0;
  private costMilliseconds = 0;
  private pendingMilliseconds = 0;
  private leastNodes = Infinity;
  private mostNodes = 0;
  private launches = 0;
  private readonly lifetimes: number[] = [];
  private readonly shares = new Map<string, Established>();
  private launchedAt = new Map<string, Instant>();
  private evictionsBefore?: ReadonlyMap<string, number>;
  private countedUntil: Instant;
  private costPerHour = 0;
  /** Changes with each launch and removal. */
  private countedNodes = '';

  /**
   * @param from when the figures begin
   * @param isRolledOut whether a workload replaces its own pods now, so that its ready pods say nothing about Karpenter
   */
  public constructor(
    private readonly cluster: SimulatedCluster,
    private readonly from: Instant,
    private readonly isRolledOut: (workload: string) => boolean,
  ) {
    this.countedUntil = cluster.now;
    // Nodes of manifests are created when scenarios start, which may be later in the day.
    for (const [name, { node }] of cluster.nodes)
      this.launchedAt.set(name, Math.min(node.claim?.createdAt ?? Infinity, cluster.now));
  }

  /** Counts the current state up to this time. Call it before the clock advances. */
  public countUntil(next: Instant): void {
    const { cluster, from } = this;
    const isCounted = cluster.now >= from;
    if (isCounted) this.evictionsBefore ??= new Map(cluster.podLifecycle.evictions);
    this.countNodes(isCounted);
    this.countReady(isCounted);
    const milliseconds = Math.max(0, next - Math.max(this.countedUntil, from));
    this.countedUntil = next;
    if (milliseconds === 0) return;
    const nodes = cluster.nodes.size;
    this.nodeMilliseconds += milliseconds * nodes;
    this.costMilliseconds += milliseconds * this.costPerHour;
    this.pendingMilliseconds += milliseconds * cluster.podLifecycle.podsWithoutNode.length;
    this.leastNodes = Math.min(this.leastNodes, nodes);
    this.mostNodes = Math.max(this.mostNodes, nodes);
  }

  public report(stopped: boolean): DayReport {
    const { cluster } = this;
    const lifetimes = [...this.lifetimes].sort((left, right) => left - right);
    const workloads = this.workloadReports();
    const lowest = workloads
      .flatMap(({ workload, lowestReady }) => (lowestReady ? [{ workload, ...lowestReady }] : []))
      .reduce<DayReport['lowestReady']>(
        (least, share) => (least && least.ready / least.of <= share.ready / share.of ? least : share),
        undefined,
      );
    return {
      nodeHours: this.nodeMilliseconds / HOUR,
      cost: this.costMilliseconds / HOUR,
      leastNodes: this.leastNodes === Infinity ? 0 : this.leastNodes,
      mostNodes: this.mostNodes,
      launches: this.launches,
      removals: lifetimes.length,
      ...(lifetimes.length === 0
        ? {}
        : { medianLifetimeHours: lifetimes[Math.floor((lifetimes.length - 1) / 2)] / HOUR }),
      evictions: workloads.reduce((sum, { evictions }) => sum + evictions, 0),
      pendingPodMinutes: this.pendingMilliseconds / MINUTE,
      pendingAtEnd: cluster.podLifecycle.podsWithoutNode.length,
      ...(lowest ? { lowestReady: lowest } : {}),
      workloads,
      stopped,
    };
  }

  private countNodes(isCounted: boolean): void {
    const { cluster, launchedAt } = this;
    const nodes = `${cluster.nodes.size} ${cluster.cloudProvider.nextOrdinal}`;
    if (nodes === this.countedNodes) return;
    this.countedNodes = nodes;
    const current = new Map<string, Instant>();
    for (const [name, { node }] of cluster.nodes) {
      const since = launchedAt.get(name);
      if (since === undefined && isCounted) this.launches++;
      current.set(name, since ?? node.claim?.createdAt ?? cluster.now);
    }
    if (isCounted)
      for (const [name, since] of launchedAt) if (!current.has(name)) this.lifetimes.push(cluster.now - since);
    this.launchedAt = current;
    this.costPerHour = costOf(
      [...cluster.nodes.values()].map(({ node }) => node),
      cluster.baseline.initialState,
    );
  }

  /** Pods that were not ready before do not count until they are: a larger load is no disruption. */
  private countReady(isCounted: boolean): void {
    const { pods, config } = this.cluster;
    for (const [workload, ready] of pods.readyCounts) {
      if (workload.startsWith('Job ') || this.isRolledOut(workload)) continue;
      const share = this.shares.get(workload) ?? { established: 0 };
      this.shares.set(workload, share);
      const wanted = config.replicas?.get(workload) ?? Infinity;
      share.established = Math.min(wanted, Math.max(share.established, ready));
      const { established, lowest } = share;
      if (!isCounted || established === 0) continue;
      const shown = Math.min(ready, established);
      if (!lowest || shown / established < lowest.ready / lowest.of) share.lowest = { ready: shown, of: established };
    }
  }

  private workloadReports(): DayWorkloadReport[] {
    const { evictions } = this.cluster.podLifecycle;
    const before = this.evictionsBefore ?? new Map<string, number>();
    return [...new Set([...this.shares.keys(), ...evictions.keys()])]
      .map((workload): DayWorkloadReport => {
        const { lowest } = this.shares.get(workload) ?? {};
        const count = (evictions.get(workload) ?? 0) - (before.get(workload) ?? 0);
        return { workload, evictions: count, ...(lowest ? { lowestReady: lowest } : {}) };
      })
      .filter(({ evictions: count, lowestReady }) => count > 0 || (lowestReady && lowestReady.ready < lowestReady.of))
      .sort((left, right) => right.evictions - left.evictions || (left.workload < right.workload ? -1 : 1));
  }
}
