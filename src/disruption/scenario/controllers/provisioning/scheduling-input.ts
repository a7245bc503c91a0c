import { ExistingNode, PodGroup, ScheduleInput, withNodesAndPods } from '../../../../scheduling';
import { PdbLimits } from '../../../budgets/pdb-limits';
import { ClusterNode, ClusterPod } from '../../../cluster';
import { reschedulablePods } from '../../../pods';
import { currentlyReschedulable } from '../../../simulation/node-removals';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

/** The solver's input for pods that need nodes. Pods of deleting nodes come first in the queue. */
export function schedulingInput(
  cluster: SimulatedCluster,
  pods: readonly PodGroup[],
  nodePools: ScheduleInput['nodePools'],
  { groups, byNode } = NO_DELETING_NODE_PODS,
): ScheduleInput {
  const {
    config: { scheduling },
    baseline: { variants },
    session,
  } = cluster;
  const nodes: ExistingNode[] = cluster.snapshot().nodes.slice();
  for (const { node, index } of cluster.deletingNodes())
    nodes[index] = session.removals.of(node, byNode.get(node) ?? []).remaining;
  return withNodesAndPods(variants.withPools(scheduling, nodePools), nodes, [...groups, ...pods, ...scheduling.pods]);
}

/** Pods that are still on deleting nodes. */
export interface PodsByDeletingNode {
  readonly groups: readonly PodGroup[];
  /** By node. */
  readonly byNode: ReadonlyMap<ClusterNode, readonly ClusterPod[]>;
}

export const NO_DELETING_NODE_PODS: PodsByDeletingNode = { groups: [], byNode: new Map() };

/** A cheap check whether `deletingNodePods` may find any. */
export function hasDeletingNodePods(cluster: SimulatedCluster): boolean {
  return deletingNodes(cluster).some(({ pods }) => reschedulablePods(pods).length > 0);
}

/**
 * Pods on deleting nodes for which Karpenter launches nodes before they are evicted: all that can ever be evicted, even
 * if a PodDisruptionBudget blocks them now. Pods of StatefulSets belong to them, although they are recreated only after
 * their deletion.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function deletingNodePods(cluster: SimulatedCluster): PodsByDeletingNode {
  const { session, now } = cluster;
  const limits = new PdbLimits(cluster.snapshot(), session.pdbs);
  const byNode = new Map(deletingNodes(cluster).map((node) => [node, currentlyReschedulable(node, { limits, now })]));
  return { groups: session.deletingNodePods.of([...byNode.values()]).groups, byNode };
}

/** In a zone outage, Karpenter deletes no node. */
function deletingNodes(cluster: SimulatedCluster): readonly ClusterNode[] {
  return cluster.failedZone === undefined
    ? cluster.deletingNodes().flatMap(({ node }) => (node.claim ? [node] : []))
    : [];
}
