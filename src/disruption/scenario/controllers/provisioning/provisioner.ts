import { deletingNodePods, hasDeletingNodePods, NO_DELETING_NODE_PODS, schedulingInput } from './scheduling-input';
import { pendingGroupsWithinZoneSpread, withoutZoneSpread, zeroCountGroupsWithoutZoneSpread } from './zone-outage';
import { Label } from '../../../../model';
import {
  claimsOf,
  launchedNode,
  PlannedNodeClaim,
  podCountsOnFilledNodes,
  ScheduleInput,
  SolvedInput,
} from '../../../../scheduling';
import { Instant } from '../../../cluster';
import { groupPendingPods, PendingGroup } from '../../cluster/pending-pods';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

type NodePools = ScheduleInput['nodePools'];

/** Where the solver schedules pending pods. */
interface Schedule {
  readonly groups: readonly PendingGroup[];
  /** The index of the first of these groups in the input, after the groups of deleting nodes. */
  readonly firstIndex: number;
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  readonly filledNodes: ReturnType<typeof podCountsOnFilledNodes>;
  readonly nodeClaims: readonly PlannedNodeClaim[];
}

interface LaunchedNode {
  readonly name: string;
  /** Whether the node is for real pods, not only for virtual pods of CapacityBuffers. */
  readonly isForPods: boolean;
}

/** A run of Karpenter's provisioner. */
interface ProvisionerRun {
  /** Undefined if there are no pods to schedule. */
  readonly schedule: Schedule | undefined;
  readonly launched: readonly LaunchedNode[];
}

/**
 * Binds pending pods to initialized nodes, as the Kubernetes scheduler does, and launches nodes for the others when
 * Karpenter's provisioner runs. If several nodes would do, Kubernetes may choose another one; the first that Karpenter
 * would try represents its choice.
 *
 * Karpenter also launches nodes for pods of deleting nodes, before they are evicted. Kubernetes binds pending pods
 * wherever there is room while those pods are still running.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export class Provisioner {
  /** Nodes with virtual pods of CapacityBuffers; undefined before the first run. */
  private bufferNodes?: readonly string[];

  public constructor(private readonly cluster: SimulatedCluster) {}

  /** Starts a follow-up run that is due, and retries offerings that were unavailable. */
  public retry(): void {
    const { cluster } = this;
    if (cluster.provisioningSchedule.startFollowUp(cluster.now)) cluster.needsProvisioning = true;
    cluster.cloudProvider.retryUnavailable();
  }

  /** When `retry` has something to do; infinite if never. */
  public nextRetry(): Instant {
    const {
      cloudProvider,
      pods,
      provisioningSchedule: { followUpAt },
    } = this.cluster;
    return pods.pending().length > 0 ? Math.min(followUpAt, cloudProvider.nextRetry) : followUpAt;
  }

  public reconcile(): void {
    const { cluster } = this;
    cluster.needsProvisioning = false;
    const { now, nominations, provisioningSchedule } = cluster;
    const run = this.provision();
    if (run) {
      const { schedule, launched } = run;
      const launchedForPods = launched.filter(({ isForPods }) => isForPods).map(({ name }) => name);
      this.nominate(new Set([...this.destinations(schedule), ...launchedForPods]));
      provisioningSchedule.recordRun(now, launched.length > 0, unscheduledPods(schedule));
    } else if (cluster.pods.pending().length > 0 || hasDeletingNodePods(cluster)) {
      provisioningSchedule.scheduleFollowUp(provisioningSchedule.nextRun(now));
    } else {
      const hasReleased = nominations.renew(new Set(), provisioningSchedule.previousRun(now));
      provisioningSchedule.clearTrigger();
      if (hasReleased) cluster.decisionVersion++;
    }
  }

  private nominate(names: ReadonlySet<string>): void {
    const { cluster } = this;
    if (cluster.nominations.renew(names, cluster.provisioningSchedule.previousRun(cluster.now)))
      cluster.decisionVersion++;
  }

  /** Returns undefined if only the Kubernetes scheduler ran. */
  private provision(): ProvisionerRun | undefined {
    const { cluster } = this;
    const {
      failedZone,
      config: {
        scheduling: { nodePools },
      },
      baseline: { variants },
    } = cluster;
    if (hasDeletingNodePods(cluster)) return this.provisionForDeletingNodes(nodePools);
    if (failedZone !== undefined && !hasNodesIn(cluster, failedZone)) {
      // For topology spread, Kubernetes counts zones that have nodes; Karpenter counts zones that could have nodes.
      this.bindPods(this.solve(this.pendingGroups(), variants.poolsOutside(failedZone, nodePools)));
    }
    const { run, schedule } = this.scheduleAndLaunch(() => this.pendingGroups(), nodePools);
    // Without zone spread, another zone would not help the remaining pods.
    const hasZoneSpread = cluster.pods.pending().some(({ pod: { shape } }) => withoutZoneSpread(shape) !== shape);
    if (failedZone === undefined || !hasZoneSpread || unscheduledPods(schedule) === 0) return run;
    // Among zones with equally few pods, Karpenter takes any and retries, so it ends up in a zone that works.
    const pools = variants.poolsOutside(failedZone, nodePools);
    const { run: runOutside } = this.scheduleAndLaunch(() => pendingGroupsWithinZoneSpread(cluster, failedZone), pools);
    return (
      runOutside && { schedule: runOutside.schedule, launched: [...(run?.launched ?? []), ...runOutside.launched] }
    );
  }

  private provisionForDeletingNodes(nodePools: NodePools): ProvisionerRun | undefined {
    this.bindPods(this.solve(this.pendingGroups(), nodePools, NO_DELETING_NODE_PODS, 'Kubernetes'));
    if (!this.isRunDue()) return undefined;
    const schedule = this.solve(this.pendingGroups(), nodePools, deletingNodePods(this.cluster));
    return { schedule, launched: this.launchNodes(schedule) };
  }

  /**
   * After Kubernetes has bound pods, Karpenter sees them on their nodes, which changes the preferences of other pods.
   */
  private scheduleAndLaunch(
    groups: () => readonly PendingGroup[],
    nodePools: NodePools,
  ): { readonly schedule: Schedule | undefined; readonly run: ProvisionerRun | undefined } {
    const first = this.solve(groups(), nodePools);
    const hasBound = this.bindPods(first);
    if (!this.isRunDue()) return { schedule: first, run: undefined };
    const schedule = hasBound ? this.solve(groups(), nodePools) : first;
    return { schedule, run: { schedule, launched: this.launchNodes(schedule) } };
  }

  /** A pod for which Kubernetes found no node triggers the provisioner. */
  private isRunDue(): boolean {
    const { now, pods, provisioningSchedule } = this.cluster;
    provisioningSchedule.triggerForNewPods(pods.pending());
    return provisioningSchedule.isFollowUp || provisioningSchedule.nextRun(now) <= now;
  }

  private pendingGroups(): PendingGroup[] {
    return groupPendingPods(this.cluster.pods.pending());
  }

  private solve(
    pendingGroups: readonly PendingGroup[],
    nodePools: NodePools,
    deleting = NO_DELETING_NODE_PODS,
    scheduler?: 'Kubernetes',
  ): Schedule | undefined {
    const { cluster } = this;
    const groups = pendingGroups.map(({ group }) => group);
    const withoutSpread = cluster.failedZone === undefined ? [] : zeroCountGroupsWithoutZoneSpread(groups);
    const input = schedulingInput(cluster, [...groups, ...withoutSpread], nodePools, deleting);
    if (input.pods.length === 0) return undefined;
    const solved = cluster.session.scheduling.solve(input, scheduler);
    return {
      groups: pendingGroups,
      firstIndex: deleting.groups.length,
      input,
      solved,
      filledNodes: podCountsOnFilledNodes(solved),
      nodeClaims: claimsOf(solved),
    };
  }

  /** Binds pods to existing nodes; returns whether it bound any. */
  private bindPods(schedule: Schedule | undefined): boolean {
    const { nodes, podLifecycle } = this.cluster;
    let hasBound = false;
    for (const { node, groups: counts } of schedule?.filledNodes ?? []) {
      for (const [group, count] of counts) {
        const pods = schedule!.groups[group - schedule!.firstIndex]?.pods.splice(0, count) ?? [];
        if (nodes.get(node)?.phase !== 'initialized') continue;
        for (const pod of pods) podLifecycle.bind(pod, node);
        hasBound ||= pods.length > 0;
      }
    }
    return hasBound;
  }

  /** Names of existing nodes that get pods later. */
  private destinations(schedule: Schedule | undefined): string[] {
    if (!schedule) return [];
    return schedule.filledNodes
      .filter(({ node, groups: counts }) => {
        const isWaiting = schedule.firstIndex > 0 || this.cluster.nodes.get(node)?.phase !== 'initialized';
        return isWaiting && hasRealPods(schedule, counts);
      })
      .map(({ node }) => node);
  }

  private launchNodes(schedule: Schedule | undefined): LaunchedNode[] {
    if (!schedule) return [];
    const { cloudProvider } = this.cluster;
    const { solved, filledNodes, nodeClaims } = schedule;
    const hasBufferPods = (counts: ReadonlyMap<number, number>) =>
      [...counts.keys()].some((group) => isBuffer(schedule, group));
    this.markBufferNodes(filledNodes.filter(({ groups: counts }) => hasBufferPods(counts)).map(({ node }) => node));
    return nodeClaims
      .filter(({ launch, pods }) => launch && pods.length > 0)
      .flatMap((claim) => {
        const template = solved.workload.templates.find(({ pool }) => pool.name === claim.nodePool);
        if (!template) return [];
        const { cheapest } = claim.launch!;
        const node = launchedNode(template, cheapest, claim, cloudProvider.nextOrdinal);
        if (!cloudProvider.mayLaunch(node, cheapest)) {
          this.cluster.provisioningSchedule.retryLaunches();
          return [];
        }
        return [
          {
            name: cloudProvider.launch(claim.nodePool, node, cheapest),
            isForPods: hasRealPods(schedule, claim.groups),
          },
        ];
      });
  }

  private markBufferNodes(names: readonly string[]): void {
    // Few clusters have CapacityBuffers, and this runs in thousands of ticks.
    if (names.length === 0 && this.bufferNodes?.length === 0) return;
    this.bufferNodes = names;
    this.cluster.nodes.forEach((state, name) => {
      const hasBufferPods = names.includes(name);
      if (hasBufferPods === (state.node.hasBufferPods ?? false)) return;
      state.node = { ...state.node, hasBufferPods };
      this.cluster.decisionVersion++;
    });
  }
}

function unscheduledPods(schedule: Schedule | undefined): number {
  if (!schedule) return 0;
  const { input, filledNodes, nodeClaims } = schedule;
  const total = input.pods.reduce((sum, { count }) => sum + count, 0);
  return [...filledNodes, ...nodeClaims].reduce(
    (left, { groups }) => [...groups.values()].reduce((rest, count) => rest - count, left),
    total,
  );
}

function hasNodesIn({ nodes }: SimulatedCluster, zone: string): boolean {
  return [...nodes.values()].some(({ node: { labels } }) => labels[Label.ZONE] === zone);
}

function hasRealPods(schedule: Schedule, counts: ReadonlyMap<number, number>): boolean {
  return [...counts.keys()].some((group) => !isBuffer(schedule, group));
}

/** Whether a group consists of virtual pods of a CapacityBuffer. */
function isBuffer({ input }: Schedule, group: number): boolean {
  return input.pods[group]?.buffer !== undefined;
}
