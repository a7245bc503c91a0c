import { Instant } from '../../cluster';
import { daemonPods } from '../../pods';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { SimulatedNode } from '../cluster/simulated-node';

/**
 * Initializes launched nodes, with the pods of DaemonSets, and removes nodes whose instance EC2 has terminated.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/lifecycle/initialization.go
 */
export class NodeLifecycleController {
  public constructor(private readonly cluster: SimulatedCluster) {}

  public reconcile(): void {
    const { cluster } = this;
    for (const state of cluster.nodesInTransition.all) {
      if (state.instanceEndsAt !== undefined && state.instanceEndsAt <= cluster.now)
        cluster.removeNode(state.node.name, 'is taken away');
      else if (state.phase === 'launching' && state.initializedAt! <= cluster.now) this.initialize(state);
    }
  }

  /** When the next node is initialized, or the next instance ends. */
  public nextReconcile(): Instant {
    const { now, nodesInTransition } = this.cluster;
    let next = Infinity;
    for (const { initializedAt = now, instanceEndsAt = now } of nodesInTransition.all) {
      if (initializedAt > now && initializedAt < next) next = initializedAt;
      if (instanceEndsAt > now && instanceEndsAt < next) next = instanceEndsAt;
    }
    return next;
  }

  private initialize(state: SimulatedNode): void {
    const { cluster } = this;
    cluster.initializeNode(state);
    const { node } = state;
    const podsReadyAt = cluster.after(cluster.times.podStart);
    for (const pod of daemonPods(node, cluster.config.daemons ?? [], cluster.now))
      cluster.pods.addStarting(pod, node.name, podsReadyAt);
    cluster.consolidation.recordChange(cluster.now);
    cluster.needsProvisioning = true;
    cluster.decisionVersion++;
    cluster.recordEvent(`${node.name} is up`);
  }
}
