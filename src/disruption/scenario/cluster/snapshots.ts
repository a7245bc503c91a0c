import { podGroups } from './pending-pods';
import { SimulatedNode } from './simulated-node';
import { SimulatedPod } from './simulated-pod';
import { PodGroup } from '../../../scheduling';
import { Cluster, ClusterNode, ClusterPod, PdbTally } from '../../cluster';

/** Everything in a cluster but its nodes and pods: NodePools, node classes, PodDisruptionBudgets, settings. */
export type ClusterConfig = Omit<Cluster, 'nodes' | 'pdbTallies' | 'pendingPods'>;

/** One state of the cluster. Its pending pods are grouped on demand, because few passes need them. */
export class ClusterSnapshot implements Cluster {
  public readonly pools: Cluster['pools'];
  public readonly pdbs: Cluster['pdbs'];
  public readonly replicas: Cluster['replicas'];
  public readonly daemons: Cluster['daemons'];
  public readonly scheduling: Cluster['scheduling'];
  public readonly catalog: Cluster['catalog'];
  public readonly settings: Cluster['settings'];

  public constructor(
    config: ClusterConfig,
    public readonly nodes: readonly ClusterNode[],
    public readonly pdbTallies: readonly PdbTally[],
    private readonly pending: readonly SimulatedPod[],
  ) {
    this.pools = config.pools;
    this.pdbs = config.pdbs;
    this.replicas = config.replicas;
    this.daemons = config.daemons;
    this.scheduling = config.scheduling;
    this.catalog = config.catalog;
    this.settings = config.settings;
  }

  public get pendingPods(): readonly PodGroup[] {
    return podGroups(this.pending);
  }
}

/**
 * Snapshots of all nodes in one list. Hot path: few nodes change from tick to tick, and only these get a new snapshot.
 */
export class NodeSnapshots {
  private snapshots?: readonly ClusterNode[];
  private readonly changed = new Set<SimulatedNode>();

  /**
   * @param podsOn snapshots of the pods on a node
   * @param includesTaint whether nodes that are chosen for disruption get the taint of Karpenter
   */
  public constructor(
    private readonly nodes: ReadonlyMap<string, SimulatedNode>,
    private readonly podsOn: (node: string) => readonly ClusterPod[],
    private readonly includesTaint: boolean,
  ) {}

  public get all(): readonly ClusterNode[] {
    if (this.snapshots === undefined) this.snapshots = this.takeAll();
    else if (this.changed.size > 0) this.snapshots = this.retake(this.snapshots);
    this.changed.clear();
    return this.snapshots;
  }

  public markChanged(node: SimulatedNode): void {
    this.changed.add(node);
  }

  /** Discards the list, because a node was added or removed. */
  public discard(): void {
    this.snapshots = undefined;
  }

  private takeAll(): readonly ClusterNode[] {
    const snapshots = new Array<ClusterNode>(this.nodes.size);
    let index = 0;
    this.nodes.forEach((node) => {
      node.index = index;
      snapshots[index++] = node.takeSnapshot(this.podsOn, this.includesTaint);
    });
    return snapshots;
  }

  private retake(previous: readonly ClusterNode[]): readonly ClusterNode[] {
    const snapshots = previous.slice();
    for (const node of this.changed) snapshots[node.index!] = node.takeSnapshot(this.podsOn, this.includesTaint);
    return snapshots;
  }
}
