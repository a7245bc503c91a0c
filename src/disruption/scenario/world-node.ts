import { DISRUPTED_TAINT } from '../../contract';
import { oncePer, Taint } from '../../model';
import { ClusterNode, ClusterPod, Instant } from '../cluster';
import { copyOfNode } from '../copies';
import { DrainList } from './drain-list';
import { WorldPod } from './world-pods';

/** Held are those that are chosen to go, and stay as nothing can be launched in their place. */
export type NodePhase = 'launching' | 'up' | 'held' | 'leaving' | 'draining';

/** A node as it comes and goes. */
export class WorldNode {
  /** When it is up. */
  public until?: Instant;
  /** When Karpenter last looked at what drains, and what it was then. */
  public looked?: { readonly at: Instant; readonly list: DrainList };
  /** What it was told to drain of, and when. */
  public drain?: { readonly since: Instant; readonly pods: number };
  /** When what is left on it is ended, whatever keeps it. */
  public deadline?: Instant;
  /** Nobody there does what it is told. @default false */
  public silent?: boolean;
  /** When EC2 takes it away. */
  public endsAt?: Instant;
  /** Among all, as they were when they were last listed. */
  public place?: number;
  private shown?: ClusterNode;
  private inQueue?: Map<WorldPod, Instant>;

  /**
   * @param number its place among all nodes that ever were
   * @param first what Karpenter sees of it as long as nothing of it changes
   * @param changed called when Karpenter would see something else
   */
  public constructor(
    public readonly number: number, private own: ClusterNode, private current: NodePhase, private readonly changed: (state: WorldNode) => void,
    first?: ClusterNode,
  ) {
    this.shown = first;
  }

  /** Pods that Karpenter's eviction queue has of it, and since when: of most nodes there never are any. */
  public get queued(): Map<WorldPod, Instant> {
    return this.inQueue ??= new Map();
  }

  public get node(): ClusterNode {
    return this.own;
  }

  public set node(node: ClusterNode) {
    this.own = node;
    this.change();
  }

  public get phase(): NodePhase {
    return this.current;
  }

  public set phase(phase: NodePhase) {
    this.current = phase;
    this.change();
  }

  /** Whether it is being deleted, or chosen for it. */
  public get isGoing(): boolean {
    return this.current === 'leaving' || this.current === 'draining';
  }

  /** Whether no pod is to come to it. */
  private get isTaken(): boolean {
    return this.isGoing || this.current === 'held';
  }

  /** Its pods are others now, or something else of it is. */
  public change(): void {
    this.shown = undefined;
    this.changed(this);
  }

  /**
   * As Karpenter sees it: the same object as long as nothing of it changes, so that what is worked out of it lasts.
   *
   * @param podsOn its pods as Karpenter sees them
   * @param taints whether anybody looks at the taint that Karpenter gives nodes that are to go
   */
  public seen(podsOn: (node: string) => readonly ClusterPod[], taints: boolean): ClusterNode {
    if (this.shown) return this.shown;
    const { isTaken } = this;
    const shown = copyOfNode(this.own);
    shown.pods = podsOn(shown.name);
    shown.deleting = isTaken;
    if (taints && isTaken) shown.taints = disrupted(shown.taints);
    return this.shown = shown;
  }
}

/** The same taints for nodes that had the same. */
const disrupted = oncePer((taints: readonly Taint[]): readonly Taint[] =>
  taints.some(({ key, effect }) => key === DISRUPTED_TAINT.key && effect === DISRUPTED_TAINT.effect) ? taints : [...taints, DISRUPTED_TAINT]);
