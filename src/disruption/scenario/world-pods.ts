import { ClusterPod, Instant } from '../cluster';
import { BudgetCount } from './budget-count';
import { FirstPods } from './first-pods';
import { PodEnd } from './pod-end';
import { firstPhase, PodPhase, shownAs, workloadOf } from './pod-phase';

/** A pod as it comes and goes. What changes of it is changed by `WorldPods.become`. */
export interface WorldPod {
  readonly pod: ClusterPod;
  readonly phase: PodPhase;
  readonly node?: string;
  /** When the phase is over. */
  readonly until?: Instant;
  /** When the kubelet kills it at the latest; of one that is told to end. */
  readonly graceEnds?: Instant;
  /** It does not end, whatever it is told: when the phase is over Karpenter only waits for it no longer. @default false */
  readonly stays?: boolean;
}

type Mutable = { -readonly [Key in keyof WorldPod]: WorldPod[Key] } & {
  /** Its place among all pods that ever were. */
  readonly number: number;
  /** The workload that it counts for. */
  readonly workload?: string;
  /** The pod as Karpenter sees it, while nothing of it changes. */
  shown?: ClusterPod;
};

/**
 * All pods, with what is asked of them again and again: which are on a node, which wait, whose phase ends next, how many of a workload are
 * ready.
 */
export class WorldPods {
  /** By `workloadKey`, also of those that have none ready. */
  public readonly ready: Map<string, number>;
  /** Of nodes of which something has been asked that their first pods do not tell. */
  private readonly byNode = new Map<string, Set<Mutable>>();
  private readonly waiting = new Set<Mutable>();
  private waitingInOrder?: readonly WorldPod[];
  private readonly timed = new Set<Mutable>();
  /** When the first of these is due, as long as that is known. */
  private soonest?: Instant = Infinity;
  /** By `workloadKey`, of StatefulSets alone. */
  private readonly unready = new Map<string, Set<Mutable>>();
  /** By `workloadKey`. */
  private recounted = new Set<string>();
  private readonly shownByNode = new Map<string, readonly ClusterPod[]>();
  private readonly listByNode = new Map<string, readonly WorldPod[]>();
  private counter: number;

  /**
   * @param changed called with the name of a node whose pods are others now
   * @param endOf when one ends that has been told to before
   * @param budgets keeps count of those on nodes
   */
  public constructor(
    public readonly first: FirstPods, private readonly changed: (node: string) => void, private readonly endOf: (pod: ClusterPod) => PodEnd,
    private readonly budgets: Pick<BudgetCount, 'change' | 'become'>,
  ) {
    this.ready = new Map(first.ready);
    this.counter = first.count;
    for (const node of first.ending) for (const subject of this.open(node)) this.follow(subject);
  }

  public addPending(pod: ClusterPod): void {
    this.add(pod, 'pending');
  }

  /** A pod that needs no scheduler. */
  public addStarting(pod: ClusterPod, node: string, until: Instant): void {
    this.add(pod, 'starting', { node, until });
  }

  public remove(subject: WorldPod): void {
    this.leave(subject as Mutable, true);
  }

  /** Only what is given changes, but a phase has an end only where one is given with it. */
  public become(subject: WorldPod, change: Partial<WorldPod> & Pick<WorldPod, 'phase'>): void {
    const changed = subject as Mutable;
    const isMoved = change.node !== undefined && change.node !== changed.node;
    const was = isMoved || changed.node === undefined ? undefined : this.shown(changed);
    this.leave(changed, isMoved);
    const { pod = changed.pod, phase, node = changed.node, until, graceEnds = changed.graceEnds, stays = changed.stays } = change;
    changed.pod = pod;
    changed.phase = phase;
    changed.node = node;
    changed.until = until;
    changed.graceEnds = graceEnds;
    changed.stays = stays;
    changed.shown = undefined;
    this.enter(changed, isMoved);
    if (was) this.budgets.become(was, this.shown(changed));
  }

  /** Nobody on the node hears what they are told: none is ready, and none ends. */
  public fallSilent(node: string): void {
    for (const subject of this.on(node)) this.become(subject, { phase: subject.phase === 'ending' ? 'ending' : 'starting' });
  }

  /** The same list as long as nothing changes there. */
  public on(node: string): readonly WorldPod[] {
    const found = this.listByNode.get(node) ?? inOrder(this.open(node));
    this.listByNode.set(node, found);
    return found;
  }

  /** The same list as long as these wait. */
  public pending(): readonly WorldPod[] {
    return this.waitingInOrder ??= inOrder(this.waiting);
  }

  /** Those of which other pods may be ready now than when this was last asked. */
  public changedWorkloads(): ReadonlySet<string> {
    const { recounted } = this;
    this.recounted = new Set();
    return recounted;
  }

  /** Of a StatefulSet, those that are there and not ready. */
  public unreadyOf(workload: string): readonly WorldPod[] {
    return [...this.unready.get(workload) ?? []];
  }

  /** Those whose phase is over. */
  public due(now: Instant): WorldPod[] {
    return this.nextDue() > now ? [] : inOrder([...this.timed].filter(({ until }) => until! <= now));
  }

  /** When the next phase is over. */
  public nextDue(): Instant {
    if (this.soonest !== undefined) return this.soonest;
    let next = Infinity;
    for (const { until } of this.timed) if (until! < next) next = until!;
    return this.soonest = next;
  }

  /** As Karpenter sees it. */
  public shown(subject: WorldPod): ClusterPod {
    return (subject as Mutable).shown ??= shownAs(subject.pod, subject.phase);
  }

  /** The pods on a node as Karpenter sees them: the same list as long as nothing changes there. */
  public shownOn(node: string): readonly ClusterPod[] {
    const known = this.shownByNode.get(node) ?? (this.byNode.has(node) ? undefined : this.first.nodes.get(node)?.shown);
    if (known) return known;
    const shown = this.on(node).map((each) => this.shown(each));
    this.shownByNode.set(node, shown);
    return shown;
  }

  private add(pod: ClusterPod, phase: PodPhase, more: Pick<WorldPod, 'node' | 'until'> = {}): void {
    const workload = workloadOf(pod);
    if (workload !== undefined && !this.ready.has(workload)) this.ready.set(workload, 0);
    const { node, until } = more;
    // Written out, as all entries are: thousands of them have one hidden class then.
    this.enter({ pod, phase, node, until, graceEnds: undefined, stays: undefined, number: this.counter++, workload, shown: undefined }, true);
  }

  /** Thousands of pods stay where they are: each is followed from when its node is looked at. */
  private open(node: string): Set<Mutable> {
    const known = this.byNode.get(node);
    if (known) return known;
    const { pods = [], shown = [], numbers = [] } = this.first.nodes.get(node) ?? {};
    const opened = new Set(pods.map((pod, at): Mutable => {
      const workload = workloadOf(pod);
      const phase = firstPhase(pod);
      const end = phase === 'ending' ? this.endOf(pod) : NO_END;
      return { pod, phase, node, until: end.until, graceEnds: end.graceEnds, stays: end.stays, number: numbers[at], workload, shown: shown[at] };
    }));
    this.byNode.set(node, opened);
    if (pods.length > 0) this.shownByNode.set(node, shown);
    return opened;
  }

  /** @param comes whether it was not there before */
  private enter(subject: Mutable, comes: boolean): void {
    const { node, phase, workload } = subject;
    if (node !== undefined) {
      if (comes) {
        this.open(node).add(subject);
        this.budgets.change(this.shown(subject), 1);
      }
      this.change(node);
    }
    if (phase === 'pending') this.wait(subject, true);
    this.follow(subject);
    if (phase === 'ready' && workload !== undefined) this.count(workload, 1);
  }

  private wait(subject: Mutable, waits: boolean): void {
    if (waits) this.waiting.add(subject);
    else this.waiting.delete(subject);
    this.waitingInOrder = undefined;
  }

  private follow(subject: Mutable): void {
    const { phase, until, workload, pod: { owner } } = subject;
    if (until !== undefined) {
      this.timed.add(subject);
      if (this.soonest !== undefined && until < this.soonest) this.soonest = until;
    }
    if (phase === 'ready' || workload === undefined || owner?.kind !== 'StatefulSet') return;
    this.unready.set(workload, (this.unready.get(workload) ?? new Set()).add(subject));
  }

  private change(node: string): void {
    this.shownByNode.delete(node);
    this.listByNode.delete(node);
    this.changed(node);
  }

  /** @param goes whether it does not stay on its node */
  private leave(subject: Mutable, goes: boolean): void {
    const { node, phase, workload } = subject;
    if (node !== undefined) {
      if (goes) {
        this.open(node).delete(subject);
        this.change(node);
        this.budgets.change(this.shown(subject), -1);
      }
    }
    if (phase === 'pending') this.wait(subject, false);
    if (this.timed.delete(subject) && subject.until === this.soonest) this.soonest = undefined;
    if (workload !== undefined) this.unready.get(workload)?.delete(subject);
    if (phase === 'ready' && workload !== undefined) this.count(workload, -1);
  }

  private count(workload: string, change: 1 | -1): void {
    this.ready.set(workload, this.ready.get(workload)! + change);
    this.recounted.add(workload);
  }
}

const NO_END: Partial<PodEnd> = {};

function inOrder(pods: Iterable<Mutable>): Mutable[] {
  const found = [...pods];
  // Most often they are already.
  for (let at = 1; at < found.length; at++) {
    if (found[at - 1].number > found[at].number) return found.sort((left, right) => left.number - right.number);
  }
  return found;
}
