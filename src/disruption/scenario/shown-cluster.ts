import { PodGroup } from '../../scheduling';
import { Cluster, ClusterNode } from '../cluster';
import { Whole } from '../copies';
import { groupsWaiting } from './waiting-pods';
import { WorldPod } from './world-pods';

/** A cluster as it is at one moment. Of which pods wait few ask. */
export class ShownCluster implements Whole<Cluster> {
  public readonly pools: Cluster['pools'];
  public readonly pdbs: Cluster['pdbs'];
  public readonly replicas: Cluster['replicas'];
  public readonly daemons: Cluster['daemons'];
  public readonly scheduling: Cluster['scheduling'];
  public readonly catalog: Cluster['catalog'];
  public readonly settings: Cluster['settings'];

  public constructor(cluster: Cluster, public readonly nodes: readonly ClusterNode[], private readonly pending: readonly WorldPod[]) {
    this.pools = cluster.pools;
    this.pdbs = cluster.pdbs;
    this.replicas = cluster.replicas;
    this.daemons = cluster.daemons;
    this.scheduling = cluster.scheduling;
    this.catalog = cluster.catalog;
    this.settings = cluster.settings;
  }

  public get waiting(): readonly PodGroup[] {
    return groupsWaiting(this.pending);
  }
}
