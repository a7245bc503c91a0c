import { InitialPods } from './cluster-baseline';
import { PdbCounter } from './pdb-counter';
import { PodTermination, initialPhase, PodPhase, podSnapshot, SimulatedPod, workloadKeyOf } from './simulated-pod';
import { ClusterPod, Instant } from '../../cluster';

type MutablePod = { -readonly [Key in keyof SimulatedPod]: SimulatedPod[Key] } & {
  /** Its position in creation order, never reused. */
  readonly ordinal: number;
  readonly workload?: string;
  /** The pod as the API server returns it, until it changes. */
  snapshot?: ClusterPod;
};

/** All pods of a simulation, indexed by node, workload and end of phase. */
export class SimulatedPods {
  /** Ready pods by `workloadKey`, also of workloads that have none. */
  public readonly readyCounts: Map<string, number>;
  /** Only nodes whose pods were read or changed. */
  private readonly byNode = new Map<string, Set<MutablePod>>();
  private readonly pendingPods = new Set<MutablePod>();
  private pendingInOrder?: readonly SimulatedPod[];
  /** Pods whose phase has an end. */
  private readonly timed = new Set<MutablePod>();
  /** When the first phase ends; undefined if that has to be computed. */
  private firstPhaseEnd?: Instant = Infinity;
  /** By `workloadKey`, only StatefulSets. */
  private readonly unready = new Map<string, Set<MutablePod>>();
  private changedWorkloads = new Set<string>();
  private readonly snapshotsByNode = new Map<string, readonly ClusterPod[]>();
  private readonly podsByNode = new Map<string, readonly SimulatedPod[]>();
  private createdCount: number;

  /**
   * @param onChange called with the name of a node whose pods changed
   * @param resumeTermination for pods that are terminating at the start
   * @param pdbCounter counts the pods on nodes
   */
  public constructor(
    public readonly initial: InitialPods,
    private readonly onChange: (node: string) => void,
    private readonly resumeTermination: (pod: ClusterPod) => PodTermination,
    private readonly pdbCounter: Pick<PdbCounter, 'count' | 'update'>,
  ) {
    this.readyCounts = new Map(initial.ready);
    this.createdCount = initial.count;
    for (const node of initial.nodesWithTerminatingPods)
      for (const subject of this.materialize(node)) this.track(subject);
  }

  public addPending(pod: ClusterPod): void {
    this.add(pod, 'pending');
  }

  /** Adds a pod that is already bound to a node. */
  public addStarting(pod: ClusterPod, node: string, phaseEnds: Instant): void {
    this.add(pod, 'starting', node, phaseEnds);
  }

  public remove(subject: SimulatedPod): void {
    this.unlink(subject as MutablePod, true);
  }

  /** Changes the given fields. Without `phaseEnds`, the phase has no end. */
  public update(subject: SimulatedPod, change: Partial<SimulatedPod> & Pick<SimulatedPod, 'phase'>): void {
    const mutable = subject as MutablePod;
    const isMoved = change.node !== undefined && change.node !== mutable.node;
    const previous = isMoved || mutable.node === undefined ? undefined : this.snapshotOf(mutable);
    this.unlink(mutable, isMoved);
    const {
      pod = mutable.pod,
      phase,
      node = mutable.node,
      phaseEnds,
      killDeadline = mutable.killDeadline,
      neverTerminates = mutable.neverTerminates,
    } = change;
    mutable.pod = pod;
    mutable.phase = phase;
    mutable.node = node;
    mutable.phaseEnds = phaseEnds;
    mutable.killDeadline = killDeadline;
    mutable.neverTerminates = neverTerminates;
    mutable.snapshot = undefined;
    this.link(mutable, isMoved);
    if (previous) this.pdbCounter.update(previous, this.snapshotOf(mutable));
  }

  /** The kubelet of the node stops responding: its pods are no longer ready, and do not terminate. */
  public markUnreachable(node: string): void {
    for (const subject of this.onNode(node))
      this.update(subject, { phase: subject.phase === 'terminating' ? 'terminating' : 'starting' });
  }

  /** The list is the same object until a pod of the node changes. */
  public onNode(node: string): readonly SimulatedPod[] {
    const pods = this.podsByNode.get(node) ?? inOrder(this.materialize(node));
    this.podsByNode.set(node, pods);
    return pods;
  }

  /** The list is the same object until a pod becomes pending or is bound. */
  public pending(): readonly SimulatedPod[] {
    return (this.pendingInOrder ??= inOrder(this.pendingPods));
  }

  /** Workloads whose number of ready pods changed since the last call. */
  public takeChangedWorkloads(): ReadonlySet<string> {
    const { changedWorkloads } = this;
    this.changedWorkloads = new Set();
    return changedWorkloads;
  }

  /** The pods of a StatefulSet that exist and are not ready. */
  public unreadyPodsOf(workload: string): readonly SimulatedPod[] {
    return [...(this.unready.get(workload) ?? [])];
  }

  /** Pods whose phase has ended. */
  public withEndedPhase(now: Instant): SimulatedPod[] {
    return this.nextPhaseEnd() > now ? [] : inOrder([...this.timed].filter(({ phaseEnds }) => phaseEnds! <= now));
  }

  /** When the next phase ends; infinite if no phase has an end. */
  public nextPhaseEnd(): Instant {
    if (this.firstPhaseEnd !== undefined) return this.firstPhaseEnd;
    let next = Infinity;
    for (const { phaseEnds } of this.timed) if (phaseEnds! < next) next = phaseEnds!;
    return (this.firstPhaseEnd = next);
  }

  /** The pod as the API server returns it. */
  public snapshotOf(subject: SimulatedPod): ClusterPod {
    return ((subject as MutablePod).snapshot ??= podSnapshot(subject.pod, subject.phase));
  }

  /** The list is the same object until a pod of the node changes. */
  public snapshotsOn(node: string): readonly ClusterPod[] {
    const cached =
      this.snapshotsByNode.get(node) ?? (this.byNode.has(node) ? undefined : this.initial.nodes.get(node)?.snapshots);
    if (cached) return cached;
    const snapshots = this.onNode(node).map((subject) => this.snapshotOf(subject));
    this.snapshotsByNode.set(node, snapshots);
    return snapshots;
  }

  private add(pod: ClusterPod, phase: PodPhase, node?: string, phaseEnds?: Instant): void {
    const workload = workloadKeyOf(pod);
    if (workload !== undefined && !this.readyCounts.has(workload)) this.readyCounts.set(workload, 0);
    // All fields are set in one order everywhere, so that thousands of pods share one hidden class.
    this.link(
      {
        pod,
        phase,
        node,
        phaseEnds,
        killDeadline: undefined,
        neverTerminates: undefined,
        ordinal: this.createdCount++,
        workload,
        snapshot: undefined,
      },
      true,
    );
  }

  /** Creates the mutable pods of a node. Thousands of pods never change, so this happens when they are first read. */
  private materialize(node: string): Set<MutablePod> {
    const existing = this.byNode.get(node);
    if (existing) return existing;
    const { pods = [], snapshots = [], indices = [] } = this.initial.nodes.get(node) ?? {};
    const created = new Set(
      pods.map((pod, index): MutablePod => {
        const phase = initialPhase(pod);
        const end = phase === 'terminating' ? this.resumeTermination(pod) : NOT_TERMINATING;
        return {
          pod,
          phase,
          node,
          phaseEnds: end.phaseEnds,
          killDeadline: end.killDeadline,
          neverTerminates: end.neverTerminates,
          ordinal: indices[index],
          workload: workloadKeyOf(pod),
          snapshot: snapshots[index],
        };
      }),
    );
    this.byNode.set(node, created);
    if (pods.length > 0) this.snapshotsByNode.set(node, snapshots);
    return created;
  }

  /** @param isArriving whether the pod was not on this node before */
  private link(subject: MutablePod, isArriving: boolean): void {
    const { node, phase, workload } = subject;
    if (node !== undefined) {
      if (isArriving) {
        this.materialize(node).add(subject);
        this.pdbCounter.count(this.snapshotOf(subject), 1);
      }
      this.invalidate(node);
    }
    if (phase === 'pending') this.setPending(subject, true);
    this.track(subject);
    if (phase === 'ready' && workload !== undefined) this.countReady(workload, 1);
  }

  /** @param isLeaving whether the pod does not stay on its node */
  private unlink(subject: MutablePod, isLeaving: boolean): void {
    const { node, phase, workload } = subject;
    if (node !== undefined && isLeaving) {
      this.materialize(node).delete(subject);
      this.invalidate(node);
      this.pdbCounter.count(this.snapshotOf(subject), -1);
    }
    if (phase === 'pending') this.setPending(subject, false);
    if (this.timed.delete(subject) && subject.phaseEnds === this.firstPhaseEnd) this.firstPhaseEnd = undefined;
    if (workload !== undefined) this.unready.get(workload)?.delete(subject);
    if (phase === 'ready' && workload !== undefined) this.countReady(workload, -1);
  }

  private setPending(subject: MutablePod, isPending: boolean): void {
    if (isPending) this.pendingPods.add(subject);
    else this.pendingPods.delete(subject);
    this.pendingInOrder = undefined;
  }

  private track(subject: MutablePod): void {
    const {
      phase,
      phaseEnds,
      workload,
      pod: { owner },
    } = subject;
    if (phaseEnds !== undefined) {
      this.timed.add(subject);
      if (this.firstPhaseEnd !== undefined && phaseEnds < this.firstPhaseEnd) this.firstPhaseEnd = phaseEnds;
    }
    if (phase === 'ready' || workload === undefined || owner?.kind !== 'StatefulSet') return;
    this.unready.set(workload, (this.unready.get(workload) ?? new Set()).add(subject));
  }

  private invalidate(node: string): void {
    this.snapshotsByNode.delete(node);
    this.podsByNode.delete(node);
    this.onChange(node);
  }

  private countReady(workload: string, change: 1 | -1): void {
    this.readyCounts.set(workload, this.readyCounts.get(workload)! + change);
    this.changedWorkloads.add(workload);
  }
}

const NOT_TERMINATING: Partial<PodTermination> = {};

function inOrder(pods: Iterable<MutablePod>): MutablePod[] {
  const list = [...pods];
  // Most lists are in order already.
  for (let index = 1; index < list.length; index++) {
    if (list[index - 1].ordinal > list[index].ordinal) return list.sort((left, right) => left.ordinal - right.ordinal);
  }
  return list;
}
