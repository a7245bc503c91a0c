import { Instant } from '../cluster';
import { podKey } from '../pods';
import { DisruptionMethod } from '../types';
import { EventQueue, ScheduledEvent } from './cluster/event-queue';
import { SimulatedCluster } from './cluster/simulated-cluster';
import { DisruptionController } from './controllers/disruption/disruption-controller';
import { NodeLifecycleController } from './controllers/node-lifecycle';
import { Provisioner } from './controllers/provisioning/provisioner';
import { StaticPoolController } from './controllers/static-pools';
import { TerminationController } from './controllers/termination/termination-controller';
import { ScenarioReport } from './report/scenario-report';
import { stuckCandidates, stuckDrains } from './report/stuck';
import { unscheduledPods } from './report/unscheduled-pods';
import { WorkloadStats } from './report/workload-stats';

export interface SimulationOptions {
  /** The name of the scenario, for the report. */
  readonly scenario: string;
  /** What the report is about. @default - the whole cluster */
  readonly subject?: string;
  /** @default - nothing happens from outside */
  readonly events?: readonly ScheduledEvent[];
  /** The methods that the disruption controller runs. @default - it does not run */
  readonly methods?: readonly DisruptionMethod[];
  /** Called before each tick, with the simulated seconds since the start. @default - no calls */
  readonly onTick?: (simulatedSeconds: number) => void;
  /** Changes workloads in each tick, after pods have advanced. @default - no calls */
  readonly reconcileWorkloads?: () => void;
  /** Called before the clock advances, with the next time. @default - no calls */
  readonly beforeAdvance?: (next: Instant) => void;
  /**
   * Whether events make the simulation long, so that the number of its ticks and nodes says nothing. Its work is still
   * bounded. @default false
   */
  readonly isLong?: boolean;
}

/** A simulation stops after this many ticks, and this many for each node. A node roll has about ten for each node. */
const MAX_TICKS = 5_000;
const MAX_TICKS_PER_NODE = 50;
/**
 * Beyond this many nodes, and this many for each node at the start, nodes are launched without end for a pod that fits
 * on none of them.
 */
const MAX_NODES = 100;
const MAX_NODES_PER_NODE = 5;
/** The work of a tick for each node, compared with that of a scheduling simulation. */
const WORK_PER_NODE = 0.2;

/** Simulates a cluster until nothing more happens, and reports what happened. */
export function simulate(cluster: SimulatedCluster, options: SimulationOptions): ScenarioReport {
  return new Simulation(cluster, options).run();
}

/** The event loop: it advances the clock to the next event, and lets all controllers reconcile. */
class Simulation {
  private readonly events: EventQueue;
  private readonly stats: WorkloadStats;
  private readonly nodeLifecycle: NodeLifecycleController;
  private readonly termination: TerminationController;
  private readonly staticPools: StaticPoolController;
  private readonly provisioner: Provisioner;
  private readonly disruption?: DisruptionController;

  public constructor(
    private readonly cluster: SimulatedCluster,
    private readonly options: SimulationOptions,
  ) {
    const { events = [], methods } = options;
    this.events = new EventQueue(events);
    this.stats = new WorkloadStats(cluster);
    this.nodeLifecycle = new NodeLifecycleController(cluster);
    this.termination = new TerminationController(cluster);
    this.staticPools = new StaticPoolController(cluster);
    this.provisioner = new Provisioner(cluster);
    this.disruption = methods && new DisruptionController(cluster, methods);
  }

  public run(): ScenarioReport {
    const { cluster, events, stats } = this;
    const end = cluster.start + cluster.times.horizon * 1_000;
    const maxTicks = this.options.isLong ? Infinity : MAX_TICKS + MAX_TICKS_PER_NODE * stats.initialSize.nodes;
    for (let ticks = 0; ; ticks++) {
      this.options.onTick?.((cluster.now - cluster.start) / 1_000);
      events.applyDue(cluster);
      this.tick();
      cluster.work.spend(cluster.nodes.size * WORK_PER_NODE);
      const next = this.nextTick();
      if (cluster.work.isSpent) return this.finish(cluster.now, { isUnfinished: true, isCut: true, isStopped: true });
      if (next === Infinity) return this.finish(cluster.now, {});
      // Up to the horizon, nothing changes any more.
      if (next > end) return this.finish(end, { isUnfinished: true });
      if (ticks >= maxTicks || this.launchesEndlessly())
        return this.finish(cluster.now, { isUnfinished: true, isCut: true });
      this.advanceTo(next);
    }
  }

  /** Lets all controllers reconcile at one point in time. */
  private tick(): void {
    const { cluster } = this;
    this.provisioner.retry();
    cluster.podLifecycle.reconcile();
    this.options.reconcileWorkloads?.();
    this.nodeLifecycle.reconcile();
    const hasChangedNodes = this.reconcileNodesAndPods();
    const { stateVersion } = cluster;
    this.disruption?.reconcile();
    if (hasChangedNodes || cluster.stateVersion !== stateVersion) this.reconcileNodesAndPods();
  }

  /** Returns whether draining or static NodePools changed the cluster. */
  private reconcileNodesAndPods(): boolean {
    const { cluster } = this;
    const { stateVersion } = cluster;
    this.termination.reconcile();
    this.staticPools.reconcile();
    const hasChangedNodes = cluster.stateVersion !== stateVersion;
    if (cluster.needsProvisioning) this.provisioner.reconcile();
    return hasChangedNodes;
  }

  /** Infinite if nothing more happens. */
  private nextTick(): Instant {
    const { cluster, events, provisioner, nodeLifecycle, termination, disruption } = this;
    const next = Math.min(
      provisioner.nextRetry(),
      cluster.pods.nextPhaseEnd(),
      termination.nextReconcile,
      nodeLifecycle.nextReconcile(),
      events.next,
    );
    const nextAction = Math.min(next, disruption?.nextReconcile(next) ?? Infinity);
    // The end of a Job matters only if something waits for it. It prolongs no other simulation.
    const isWaiting = nextAction < Infinity || cluster.nodesInTransition.all.some(({ phase }) => phase === 'draining');
    return isWaiting ? Math.min(nextAction, cluster.podLifecycle.jobs.nextDeadline) : Infinity;
  }

  private launchesEndlessly(): boolean {
    if (this.options.isLong) return false;
    return this.cluster.nodes.size > MAX_NODES + MAX_NODES_PER_NODE * this.stats.initialSize.nodes;
  }

  private advanceTo(instant: Instant): void {
    this.stats.countUntil(instant);
    this.options.beforeAdvance?.(instant);
    this.cluster.now = instant;
  }

  /**
   * @param isCut whether the simulation was stopped because it did not come to an end
   * @param isStopped whether it was stopped because of its work
   */
  private finish(end: Instant, { isUnfinished = false, isCut = false, isStopped = false }): ScenarioReport {
    this.advanceTo(end);
    const {
      cluster,
      stats,
      disruption,
      options: { scenario, subject },
    } = this;
    return {
      scenario,
      ...(subject === undefined ? {} : { subject }),
      timeline: cluster.timeline,
      timeSeries: stats.timeSeries,
      workloads: stats.reports(),
      pending: cluster.podLifecycle.podsWithoutNode.map(podKey),
      unplaced: unscheduledPods(cluster, this.launchesEndlessly()),
      lost: cluster.podLifecycle.lostPods,
      stuck: [...stuckDrains(cluster, isCut), ...(disruption ? stuckCandidates(cluster, disruption) : [])],
      drains: cluster.drains,
      before: stats.initialSize,
      after: cluster.size(),
      seconds: Math.round((cluster.now - cluster.start) / 1_000),
      unfinished: isUnfinished,
      ...(isStopped ? { stopped: true } : {}),
    };
  }
}
