import { Label } from '../../model';
import { ExistingNode, Offer } from '../../scheduling';
import { tellTotals } from '../budget-totals';
import { Cluster, ClusterPod, Instant } from '../cluster';
import { copyOfClaim, copyOfNode, copyOfPod } from '../copies';
import { podKey } from '../pod-eviction';
import { costOf } from '../prices';
import { BudgetCount } from './budget-count';
import { ConsolidationMemory } from './consolidation-memory';
import { firstNodes, firstPods, withReplicas } from './first-pods';
import { NextPass } from './next-pass';
import { GoingNode, NodesUnderway } from './nodes-underway';
import { Nominations } from './nominations';
import { UnavailableOfferings } from './offerings';
import { OrderedPods } from './ordered-pods';
import { endOf, endOfTold, endOfUnheard, PodEnd } from './pod-end';
import { workloadOf } from './pod-phase';
import { ClusterSize, NodeDrain, TimelineEntry } from './scenario-report';
import { ScenarioTimes } from './scenario-times';
import { ShownCluster } from './shown-cluster';
import { ShownNodes } from './shown-nodes';
import { leaveRoom, tryOffered } from './tried-offerings';
import { WorldNode } from './world-node';
import { WorldPod, WorldPods } from './world-pods';

const SECOND = 1_000;
/** @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/podevents/controller.go */
const POD_EVENTS_APART = 10_000;

/** A cluster that time passes in. All that changes, changes here. */
export class World {
  public readonly nodes = new Map<string, WorldNode>();
  public readonly pods: WorldPods;
  public readonly ordered: OrderedPods;
  public readonly timeline: TimelineEntry[] = [];
  public readonly evictions = new Map<string, number>();
  public readonly lost: string[] = [];
  public readonly drains: NodeDrain[] = [];
  public now: Instant;
  /** Whether pods wait that nobody has looked for a place for since the cluster changed. */
  public unsettled = false;
  /** Goes up with everything that Karpenter might decide differently for. */
  public version = 0;
  /** Goes up with everything that changes of nodes and their pods. */
  public changes = 0;
  public readonly unavailable = new UnavailableOfferings();
  public readonly nextPass = new NextPass();
  public readonly nominations: Nominations;
  public readonly memory: ConsolidationMemory;
  private readonly first: Cluster;
  private readonly budgets: BudgetCount;
  /** When Karpenter next has something to do about nodes that drain, if nothing else happens before. */
  public nextDrain: Instant = Infinity;
  /** A zone that nothing can be launched in any more. */
  public failedZone?: string;
  /** Names of the nodes that were last reserved; absent while it is as it began. */
  private reserved?: readonly string[];
  /** Nodes that were launched, and pods that were made again. */
  private launched = 0;
  private made = 0;
  /** As long as nothing of it changes. */
  private shown?: { readonly pending: readonly WorldPod[]; readonly cluster: Cluster };
  public readonly underway = new NodesUnderway();
  private readonly shownNodes: ShownNodes;

  public constructor(private current: Cluster, public readonly start: Instant, public readonly times: ScenarioTimes) {
    this.now = start;
    this.memory = new ConsolidationMemory(start);
    this.nominations = new Nominations(this.nodes, start);
    const cluster = this.first = this.current = withReplicas(current);
    this.shownNodes = new ShownNodes(this.nodes, (name) => this.pods.shownOn(name), firstPods(cluster.nodes).honorTaints);
    const seen = firstNodes(cluster);
    this.budgets = new BudgetCount(cluster.pdbs, seen);
    const changed = (name: string) => this.nodes.get(name)?.change();
    this.pods = new WorldPods(firstPods(cluster.nodes), changed, (pod) => endOfTold(pod, start, times), this.budgets);
    this.ordered = new OrderedPods(this.pods, (pod) => this.wait(pod));
    cluster.nodes.forEach((node, at) => this.nodes.set(node.name, new WorldNode(at, node, 'up', this.change, seen[at])));
  }

  /** The pools, and what else does not come and go. */
  public get cluster(): Cluster {
    return this.current;
  }

  public set cluster(cluster: Cluster) {
    this.current = cluster;
    this.forget();
  }

  /** A number that nothing has which was there before. */
  public get next(): number {
    return this.first.nodes.length + this.launched;
  }

  /** The cluster as it is now. */
  public snapshot(): Cluster {
    const pending = this.pods.pending();
    if (this.shown?.pending !== pending) this.shown = { pending, cluster: this.shownWith(pending) };
    return this.shown.cluster;
  }

  /** Nodes that are being deleted, as they are seen now; each has its place in the list of all. */
  public going(): readonly GoingNode[] {
    return this.underway.goingIn(this.snapshot().nodes);
  }

  public tell(what: string): void {
    this.timeline.push({ second: Math.round((this.now - this.start) / SECOND), what });
  }

  public after(seconds: number): Instant {
    return this.now + seconds * SECOND;
  }

  public launch(pool: string, node: Omit<ExistingNode, 'name'>, offer: Offer | undefined): string {
    const name = `${pool}-new-${this.launched}`;
    const labels: Readonly<Record<string, string>> = { ...node.labels, [Label.HOSTNAME]: name };
    const { taints, allocatable, capacity, volumeLimits } = node;
    const { annotations, expireAfter, terminationGracePeriod } = this.cluster.pools.get(pool) ?? {};
    // What nodes of the pool are given at birth; those that it has may be of an earlier one.
    const claim = copyOfClaim({ createdAt: this.now, expireAfter, terminationGracePeriod });
    const facts = { name, labels, taints, allocatable, capacity, volumeLimits, annotations, claim };
    const launched = copyOfNode({ ...facts, initialized: false, claimOnly: true, pods: [] });
    const state = new WorldNode(this.next, launched, 'launching', this.change);
    state.until = this.after(this.times.nodeStart);
    this.nodes.set(name, state);
    this.underway.follow(state);
    this.launched++;
    this.reorder();
    this.memory.change(this.now);
    leaveRoom(this, launched, -1);
    const what = offer ? `${offer.instanceType}, ${offer.capacityType}, ${offer.zone}` : labels[Label.INSTANCE_TYPE];
    this.tell(`${name} is launched (${what})`);
    return name;
  }

  /**
   * Begins to end a pod. Its controller makes the next one at once, that of a StatefulSet when it is gone, and those before it are ready.
   *
   * @param grace seconds, in place of its own
   */
  public end(subject: WorldPod, grace = subject.pod.terminationGraceSeconds ?? 30): void {
    const { pod } = subject;
    this.pods.become(subject, { phase: 'ending', ...this.endOf(subject, grace) });
    this.touch(subject.node);
    this.count(pod);
    if (isReplaced(pod)) this.replace(pod);
  }

  /**
   * Leaves a pod that ends no more than so much time.
   *
   * @param grace seconds
   */
  public hasten(subject: WorldPod, grace: number): void {
    const { until, graceEnds } = this.endOf(subject, grace);
    const [last, latest] = [subject.until ?? Infinity, subject.graceEnds ?? Infinity];
    this.pods.become(subject, { phase: 'ending', until: Math.min(last, until), graceEnds: Math.min(latest, graceEnds) });
  }

  /** A pod is gone with its node, at once. */
  public kill(subject: WorldPod): void {
    const wasEnding = subject.phase === 'ending';
    if (!wasEnding) this.count(subject.pod);
    this.gone(subject);
    if (!wasEnding && isReplaced(subject.pod)) this.replace(subject.pod);
  }

  /** The phase of a pod is over. */
  public pass(subject: WorldPod): void {
    const { phase, stays, pod } = subject;
    if (phase === 'ending' && !stays) this.gone(subject);
    else this.pods.become(subject, { phase: phase === 'ending' ? 'ending' : 'ready' });
    if (subject.phase === 'ready') this.ordered.follow(pod);
    this.version++;
  }

  public gone(subject: WorldPod): void {
    this.version++;
    this.pods.remove(subject);
    this.memory.change(this.now);
    const { pod } = subject;
    if (pod.owner?.kind === 'StatefulSet') this.ordered.makeAgain(pod);
    else if (!pod.owner && !pod.daemon) this.lost.push(podKey(pod));
    // On a node that goes there is no room for others, and from its end on no pod counts for any.
    if (!this.isGoing(subject.node)) this.unsettled = true;
  }

  public remove(name: string, what: string): void {
    for (const subject of this.pods.on(name)) this.kill(subject);
    const state = this.nodes.get(name);
    leaveRoom(this, state?.node, 1);
    if (state) this.underway.forget(state);
    this.nodes.delete(name);
    this.reorder();
    this.memory.change(this.now);
    this.version++;
    this.unsettled = true;
    this.tell(`${name} ${what}`);
  }

  /** EC2 takes the node away in some time. */
  public takeAway(name: string, at: Instant): void {
    const state = this.nodes.get(name)!;
    state.endsAt = at;
    this.underway.follow(state);
  }

  /** A node that drains has nothing left to wait for. */
  public removeDrained(name: string): void {
    const { drain, node } = this.nodes.get(name)!;
    const nodePool = node.labels[Label.NODE_POOL];
    const pool = nodePool === undefined ? {} : { nodePool };
    if (drain) this.drains.push({ node: name, ...pool, pods: drain.pods, seconds: Math.round((this.now - drain.since) / SECOND) });
    this.remove(name, 'is gone');
  }

  /** A pod comes to the node, or begins to end: the clock of consolidateAfter starts anew, unless another pod has done so just before. */
  public touch(name: string | undefined): void {
    const known = name === undefined ? undefined : this.nodes.get(name);
    const claim = known?.node.claim;
    if (!claim || this.now - (claim.lastPodEventAt ?? -Infinity) < POD_EVENTS_APART) return;
    const [node, touched] = [copyOfNode(known.node), copyOfClaim(claim)];
    touched.lastPodEventAt = this.now;
    node.claim = touched;
    known.node = node;
  }

  /** These and no others have the room of CapacityBuffers. */
  public reserve(names: readonly string[]): void {
    // Few clusters have any, and are asked at thousands of moments.
    if (names.length === 0 && this.reserved?.length === 0) return;
    this.reserved = names;
    this.nodes.forEach((state, name) => {
      const buffered = names.includes(name);
      if (buffered === (state.node.buffered ?? false)) return;
      state.node = { ...state.node, buffered };
      this.version++;
    });
  }

  /** Tries again what has been left alone for long enough. */
  public tryAgain(): void {
    if (this.nextPass.begins(this.now)) this.unsettled = true;
    if (this.unavailable.expire(this.now)) tryOffered(this);
  }

  /** When there is something to try again; nothing waits for it where no pod does. */
  public nextTry(): Instant {
    const { nextPass: { at } } = this;
    return this.pods.pending().length > 0 ? Math.min(at, this.unavailable.next) : at;
  }

  public size(): ClusterSize {
    return { nodes: this.nodes.size, usdPerHour: costOf(this.snapshot().nodes, this.first) };
  }

  private endOf({ node }: WorldPod, grace: number): Required<PodEnd> {
    const isSilent = node !== undefined && this.nodes.get(node)?.silent === true;
    return isSilent ? endOfUnheard(this.now, grace) : endOf(this.now, grace, this.times);
  }

  private isGoing(name: string | undefined): boolean {
    return name !== undefined && this.nodes.get(name)?.isGoing === true;
  }

  private shownWith(pending: readonly WorldPod[]): Cluster {
    const nodes = this.shownNodes.all;
    tellTotals(this.current.pdbs, nodes, this.budgets.totals);
    return new ShownCluster(this.current, nodes, pending);
  }

  private readonly change = (state: WorldNode): void => {
    this.shownNodes.change(state);
    this.underway.follow(state);
    this.forget();
  };

  private reorder(): void {
    this.shownNodes.forget();
    this.forget();
  }

  private forget(): void {
    this.shown = undefined;
    this.changes++;
  }

  private replace(pod: ClusterPod): void {
    this.wait(pod, `${pod.owner!.name}-new-${this.made++}`);
  }

  /** One like it, that is new. */
  private wait(pod: ClusterPod, name = pod.name): void {
    const next = copyOfPod(pod);
    next.name = name;
    next.startedAt = next.age = next.terminating = next.killedAt = undefined;
    this.pods.addPending(next);
    this.unsettled = true;
    this.version++;
  }

  private count(pod: ClusterPod): void {
    const key = workloadOf(pod);
    if (key !== undefined) this.evictions.set(key, (this.evictions.get(key) ?? 0) + 1);
  }
}

/** Whether the next one is made as soon as it ends. */
function isReplaced({ owner, daemon }: ClusterPod): boolean {
  return owner !== undefined && owner.kind !== 'StatefulSet' && owner.kind !== 'Node' && !daemon;
}
