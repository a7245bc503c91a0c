import { Label } from '../../../model';
import { costOf } from '../../candidates/prices';
import { cloneClaim, cloneNode } from '../../clone';
import { Cluster, ClusterNode, Instant } from '../../cluster';
import { isDrainable } from '../../pods';
import { DisruptionSession } from '../../session';
import { ClusterSize, NodeDrain, TimelineEntry } from '../report/scenario-report';
import { ScenarioTimes } from '../scenario-times';
import { MAX_WORK, WorkBudget } from '../work-budget';
import { CloudProvider } from './cloud-provider';
import { ClusterBaseline } from './cluster-baseline';
import { ConsolidationState } from './consolidation-state';
import { DeletingNode, NodesInTransition } from './nodes-in-transition';
import { Nominations } from './nominations';
import { PdbCounter } from './pdb-counter';
import { PodLifecycle } from './pod-lifecycle';
import { ProvisioningSchedule } from './provisioning-schedule';
import { SimulatedNode } from './simulated-node';
import { resumedTermination, SimulatedPod } from './simulated-pod';
import { SimulatedPods } from './simulated-pods';
import { ClusterConfig, ClusterSnapshot, NodeSnapshots } from './snapshots';

const SECOND = 1_000;
/**
 * Karpenter records at most one pod event per node in this time. In milliseconds.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/podevents/controller.go
 */
const POD_EVENT_INTERVAL = 10_000;

/** The state of a cluster during a simulation. Controllers read it through `snapshot()`, as from the API server. */
export class SimulatedCluster {
  public readonly nodes = new Map<string, SimulatedNode>();
  public readonly pods: SimulatedPods;
  public readonly podLifecycle: PodLifecycle;
  public readonly cloudProvider: CloudProvider;
  public readonly nodesInTransition = new NodesInTransition();
  public readonly nominations = new Nominations(this.nodes);
  public readonly consolidation: ConsolidationState;
  public readonly work: WorkBudget;
  public readonly provisioningSchedule: ProvisioningSchedule;
  public readonly timeline: TimelineEntry[] = [];
  /** Completed drains. */
  public readonly drains: NodeDrain[] = [];
  public now: Instant;
  /** Whether the provisioner has to run because pods or capacity changed. */
  public needsProvisioning = false;
  /** Increases with each change that may change a decision of the disruption controller. */
  public decisionVersion = 0;
  /** Increases with each change of nodes, pods or configuration. */
  public stateVersion = 0;
  /** A zone in which nothing can be launched. @default - none */
  public failedZone?: string;
  private currentConfig: ClusterConfig;
  private readonly pdbCounter: PdbCounter;
  private readonly nodeSnapshots: NodeSnapshots;
  /** Kept until something changes. */
  private lastSnapshot?: { readonly pending: readonly SimulatedPod[]; readonly cluster: Cluster };

  public constructor(
    public readonly baseline: ClusterBaseline,
    public readonly start: Instant,
    public readonly times: ScenarioTimes,
    maxWork: number = MAX_WORK,
  ) {
    this.now = start;
    this.work = new WorkBudget(this.session.scheduling, maxWork);
    this.currentConfig = baseline.initialState;
    this.consolidation = new ConsolidationState(start);
    this.provisioningSchedule = new ProvisioningSchedule(start);
    this.nodeSnapshots = new NodeSnapshots(
      this.nodes,
      (name) => this.pods.snapshotsOn(name),
      baseline.pods.honorsNodeTaints,
    );
    this.pdbCounter = new PdbCounter(this.session.pdbs, baseline.nodes);
    const onPodChange = (node: string) => this.nodes.get(node)?.invalidate();
    this.pods = new SimulatedPods(
      baseline.pods,
      onPodChange,
      (pod) => resumedTermination(pod, start, times),
      this.pdbCounter,
    );
    this.podLifecycle = new PodLifecycle(this);
    this.cloudProvider = new CloudProvider(this);
    baseline.initialState.nodes.forEach((node, index) =>
      this.nodes.set(
        node.name,
        new SimulatedNode(index, node, 'initialized', this.onNodeChange, baseline.nodes[index]),
      ),
    );
  }

  public get session(): DisruptionSession {
    return this.baseline.session;
  }

  /** NodePools, node classes and settings. Assign a changed copy to change them. */
  public get config(): ClusterConfig {
    return this.currentConfig;
  }

  public set config(config: ClusterConfig) {
    this.currentConfig = config;
    this.discardSnapshot();
  }

  /** The cluster as the API server returns it. The same object until something changes. */
  public snapshot(): Cluster {
    const pending = this.pods.pending();
    if (this.lastSnapshot?.pending !== pending) {
      const { all } = this.nodeSnapshots;
      this.lastSnapshot = {
        pending,
        cluster: new ClusterSnapshot(this.currentConfig, all, this.pdbCounter.tallies, pending),
      };
    }
    return this.lastSnapshot.cluster;
  }

  /** Nodes of the snapshot that are being deleted. */
  public deletingNodes(): readonly DeletingNode[] {
    return this.nodesInTransition.deletingIn(this.snapshot().nodes);
  }

  public size(): ClusterSize {
    return { nodes: this.nodes.size, usdPerHour: costOf(this.snapshot().nodes, this.baseline.initialState) };
  }

  /** Adds a sentence to the timeline of the report. */
  public recordEvent(what: string): void {
    this.timeline.push({ second: Math.round((this.now - this.start) / SECOND), what });
  }

  public after(seconds: number): Instant {
    return this.now + seconds * SECOND;
  }

  public addNode(ordinal: number, node: ClusterNode, initializedAt: Instant): void {
    const state = new SimulatedNode(ordinal, node, 'launching', this.onNodeChange);
    state.initializedAt = initializedAt;
    this.nodes.set(node.name, state);
    this.nodesInTransition.update(state);
    this.discardNodeList();
    this.consolidation.recordChange(this.now);
  }

  /** Replaces the facts of a node that was launched: it joins the cluster. */
  public initializeNode(state: SimulatedNode): void {
    state.phase = 'initialized';
    state.initializedAt = undefined;
    const node = cloneNode(state.node);
    node.initialized = true;
    node.claimOnly = undefined;
    if (node.claim) {
      const claim = cloneClaim(node.claim);
      claim.initializedAt = this.now;
      node.claim = claim;
    }
    state.node = node;
  }

  /** Deletes the NodeClaim of a node, which starts its drain. */
  public startDraining(name: string, terminationGracePeriod: number | undefined): void {
    const state = this.nodes.get(name);
    if (!state) return;
    const isNew = state.phase !== 'draining';
    if (isNew && state.phase !== 'markedForDeletion') this.consolidation.recordChange(this.now);
    state.phase = 'draining';
    state.drain ??= {
      since: this.now,
      pods: this.pods.onNode(name).filter(({ pod }) => isDrainable(pod) && !pod.daemon).length,
    };
    if (terminationGracePeriod !== undefined) {
      state.terminationDeadline = Math.min(state.terminationDeadline ?? Infinity, this.now + terminationGracePeriod);
    }
    this.provisioningSchedule.trigger();
    this.needsProvisioning = true;
    if (isNew) this.recordEvent(`${name} drains`);
  }

  /** Removes a node whose drain is complete. */
  public removeDrainedNode(name: string): void {
    const { drain, node } = this.nodes.get(name)!;
    const nodePool = node.labels[Label.NODE_POOL];
    const pool = nodePool === undefined ? {} : { nodePool };
    if (drain)
      this.drains.push({
        node: name,
        ...pool,
        pods: drain.pods,
        seconds: Math.round((this.now - drain.since) / SECOND),
      });
    this.removeNode(name, 'is terminated');
  }

  /**
   * Removes a node and its pods.
   *
   * @param what the end of the sentence for the timeline
   */
  public removeNode(name: string, what: string): void {
    for (const subject of this.pods.onNode(name)) this.podLifecycle.forceDelete(subject);
    const state = this.nodes.get(name);
    this.cloudProvider.adjustReservation(state?.node, 1);
    if (state) this.nodesInTransition.remove(state);
    this.nodes.delete(name);
    this.discardNodeList();
    this.consolidation.recordChange(this.now);
    this.decisionVersion++;
    this.needsProvisioning = true;
    this.recordEvent(`${name} ${what}`);
  }

  /** A pod is bound to the node or starts to terminate, which restarts consolidateAfter. */
  public recordPodEvent(nodeName: string | undefined): void {
    const state = nodeName === undefined ? undefined : this.nodes.get(nodeName);
    const previous = state?.node.claim;
    if (!previous || this.now - (previous.lastPodEventAt ?? -Infinity) < POD_EVENT_INTERVAL) return;
    const [node, claim] = [cloneNode(state.node), cloneClaim(previous)];
    claim.lastPodEventAt = this.now;
    node.claim = claim;
    state.node = node;
  }

  private readonly onNodeChange = (node: SimulatedNode): void => {
    this.nodeSnapshots.markChanged(node);
    this.nodesInTransition.update(node);
    this.discardSnapshot();
  };

  private discardNodeList(): void {
    this.nodeSnapshots.discard();
    this.discardSnapshot();
  }

  private discardSnapshot(): void {
    this.lastSnapshot = undefined;
    this.stateVersion++;
  }
}
