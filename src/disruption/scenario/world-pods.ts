import { ClusterPod, Instant, workloadKey } from '../cluster';

export type PodPhase = 'pending' | 'starting' | 'ready' | 'ending';

/** A pod as it comes and goes. What changes of it is changed by `WorldPods.become`. */
export interface WorldPod {
  readonly pod: ClusterPod;
  readonly phase: PodPhase;
  readonly node?: string;
  /** When the phase is over. */
  readonly until?: Instant;
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
  public readonly ready = new Map<string, number>();
  private readonly all = new Set<Mutable>();
  private readonly byNode = new Map<string, Set<Mutable>>();
  private readonly waiting = new Set<Mutable>();
  private readonly timed = new Set<Mutable>();
  private readonly shownByNode = new Map<string, readonly ClusterPod[]>();
  private counter = 0;

  public addPending(pod: ClusterPod): void {
    this.add(pod, 'pending');
  }

  /** @param shown the same pods as Karpenter sees them, one for one */
  public addReady(pods: readonly ClusterPod[], node: string, shown: readonly ClusterPod[]): void {
    pods.forEach((pod, at) => { this.add(pod, 'ready', node).shown = shown[at]; });
    this.shownByNode.set(node, shown);
  }

  public remove(subject: WorldPod): void {
    this.leave(subject as Mutable);
    this.all.delete(subject as Mutable);
  }

  /** Only what is given changes, but a phase has an end only where one is given with it. */
  public become(subject: WorldPod, change: Partial<WorldPod> & Pick<WorldPod, 'phase'>): void {
    const changed = subject as Mutable;
    this.leave(changed);
    Object.assign(changed, { until: undefined }, change);
    changed.shown = undefined;
    this.enter(changed);
  }

  public on(node: string): WorldPod[] {
    return inOrder(this.byNode.get(node) ?? []);
  }

  public pending(): WorldPod[] {
    return inOrder(this.waiting);
  }

  public bound(): WorldPod[] {
    return [...this.all].filter(({ node }) => node !== undefined);
  }

  /** Those whose phase is over. */
  public due(now: Instant): WorldPod[] {
    return inOrder([...this.timed].filter(({ until }) => until! <= now));
  }

  /** When the next phase is over. */
  public nextDue(): Instant {
    let next = Infinity;
    for (const { until } of this.timed) next = Math.min(next, until!);
    return next;
  }

  /** As Karpenter sees it. */
  public shown(subject: WorldPod): ClusterPod {
    return (subject as Mutable).shown ??= shownAs(subject.pod, subject.phase);
  }

  /** The pods on a node as Karpenter sees them: the same list as long as nothing changes there. */
  public shownOn(node: string): readonly ClusterPod[] {
    const known = this.shownByNode.get(node);
    if (known) return known;
    const shown = inOrder(this.byNode.get(node) ?? []).map((each) => this.shown(each));
    this.shownByNode.set(node, shown);
    return shown;
  }

  private add(pod: ClusterPod, phase: PodPhase, node?: string): Mutable {
    const workload = workloadOf(pod);
    const added: Mutable = { pod, phase, node, number: this.counter++, ...(workload === undefined ? {} : { workload }) };
    if (workload !== undefined && !this.ready.has(workload)) this.ready.set(workload, 0);
    this.all.add(added);
    this.enter(added);
    return added;
  }

  private enter(subject: Mutable): void {
    const { node, phase, until, workload } = subject;
    if (node !== undefined) {
      const there = this.byNode.get(node) ?? new Set();
      this.byNode.set(node, there.add(subject));
      this.shownByNode.delete(node);
    }
    if (phase === 'pending') this.waiting.add(subject);
    if (until !== undefined) this.timed.add(subject);
    if (phase === 'ready' && workload !== undefined) this.ready.set(workload, this.ready.get(workload)! + 1);
  }

  private leave(subject: Mutable): void {
    const { node, phase, workload } = subject;
    if (node !== undefined) {
      this.byNode.get(node)!.delete(subject);
      this.shownByNode.delete(node);
    }
    this.waiting.delete(subject);
    this.timed.delete(subject);
    if (phase === 'ready' && workload !== undefined) this.ready.set(workload, this.ready.get(workload)! - 1);
  }
}

/** Pods of DaemonSets and of the kubelet's own count for none. */
export function workloadOf({ namespace, owner, daemon }: ClusterPod): string | undefined {
  return !owner || daemon || owner.kind === 'Node' ? undefined : workloadKey(namespace, owner);
}

function inOrder(pods: Iterable<Mutable>): Mutable[] {
  return [...pods].sort((left, right) => left.number - right.number);
}

export function shownAs(pod: ClusterPod, phase: PodPhase): ClusterPod {
  return { ...pod, ready: phase === 'ready', ...(phase === 'ending' ? { terminating: true } : {}) };
}
