import { DISRUPTED_TAINT } from '../../../contract';
import { memoizeByIdentity, Taint } from '../../../model';
import { cloneNode } from '../../clone';
import { ClusterNode, ClusterPod, Instant } from '../../cluster';

/**
 * - `launching`: from the request to EC2 until the node is initialized
 * - `initialized`: takes pods
 * - `pendingReplacement`: a command chose the node, but its replacement could not be launched; released when the pass
 *   ends
 * - `markedForDeletion`: a command chose the node, and waits for its replacements
 * - `draining`: its NodeClaim is deleted
 */
export type NodePhase = 'launching' | 'initialized' | 'pendingReplacement' | 'markedForDeletion' | 'draining';

/** A node during a simulation. */
export class SimulatedNode {
  /** When the node is initialized, if it is launching. */
  public initializedAt?: Instant;
  /** When the node started to drain, and how many pods had to leave it. */
  public drain?: { readonly since: Instant; readonly pods: number };
  /** When remaining pods are deleted, whatever blocks their eviction. @default - draining has no time limit */
  public terminationDeadline?: Instant;
  /** Whether its kubelet does not respond. @default false */
  public unreachable?: boolean;
  /** When EC2 terminates the instance. @default - not planned */
  public instanceEndsAt?: Instant;
  /** Its index in the last list of snapshots. */
  public index?: number;

  /**
   * @param ordinal its position in launch order, never reused
   * @param onChange called when its snapshot changes
   * @param snapshot the snapshot until the first change
   */
  public constructor(
    public readonly ordinal: number,
    private currentNode: ClusterNode,
    private currentPhase: NodePhase,
    private readonly onChange: (node: SimulatedNode) => void,
    private snapshot?: ClusterNode,
  ) {}

  /** The node without its current pods. */
  public get node(): ClusterNode {
    return this.currentNode;
  }

  public set node(node: ClusterNode) {
    this.currentNode = node;
    this.invalidate();
  }

  public get phase(): NodePhase {
    return this.currentPhase;
  }

  public set phase(phase: NodePhase) {
    this.currentPhase = phase;
    this.invalidate();
  }

  public get isDeleting(): boolean {
    return this.currentPhase === 'markedForDeletion' || this.currentPhase === 'draining';
  }

  /** Discards the snapshot, because the node or its pods changed. */
  public invalidate(): void {
    this.snapshot = undefined;
    this.onChange(this);
  }

  /**
   * The node as the API server returns it. An unchanged node keeps its snapshot, so results that are cached for the
   * snapshot stay valid.
   *
   * @param podsOn snapshots of the pods on a node
   * @param includesTaint whether a node that is chosen for disruption gets the taint of Karpenter
   */
  public takeSnapshot(podsOn: (node: string) => readonly ClusterPod[], includesTaint: boolean): ClusterNode {
    if (this.snapshot) return this.snapshot;
    const isChosen = this.isDeleting || this.currentPhase === 'pendingReplacement';
    const snapshot = cloneNode(this.currentNode);
    snapshot.pods = podsOn(snapshot.name);
    snapshot.deleting = isChosen;
    if (includesTaint && isChosen) snapshot.taints = withDisruptedTaint(snapshot.taints);
    return (this.snapshot = snapshot);
  }
}

const withDisruptedTaint = memoizeByIdentity((taints: readonly Taint[]): readonly Taint[] =>
  taints.some(({ key, effect }) => key === DISRUPTED_TAINT.key && effect === DISRUPTED_TAINT.effect)
    ? taints
    : [...taints, DISRUPTED_TAINT],
);
