import { memoizeByIdentity } from '../../model';
import { ExistingNode, ScheduleInput, withoutReplicas } from '../../scheduling';
import { isSettling } from '../candidates/consolidatable';
import { cloneNode } from '../clone';
import { Cluster, ClusterNode, ClusterPod } from '../cluster';
import { ClusterState } from '../session';
import { BasePods } from './base-pods';
import { currentlyReschedulable } from './node-removals';

/**
 * The part of a simulation that does not depend on its candidates. Unchanged nodes are the same objects as in earlier
 * bases.
 */
export interface SimulationBase {
  readonly input: Omit<ScheduleInput, 'nodes' | 'pods'>;
  /** In cluster order. Deleting nodes take no pods, and keep only the pods that are not rescheduled. */
  readonly nodes: readonly ExistingNode[];
  /** Names of uninitialized nodes that are not deleting. */
  readonly uninitialized: ReadonlySet<string>;
  readonly pods: BasePods;
}

/** Hot path: built for each state of the cluster. */
export function buildSimulationBase(state: ClusterState, avoidsSettlingNodes: boolean): SimulationBase {
  const { cluster, now, session } = state;
  const nodes: ExistingNode[] = cluster.nodes.slice();
  const podsByDeletingNode: Array<readonly ClusterPod[]> = [];
  const uninitialized = new Set<string>();
  cluster.nodes.forEach((node, index) => {
    if (node.deleting) {
      const rescheduled = currentlyReschedulable(node, state);
      podsByDeletingNode.push(rescheduled);
      nodes[index] = session.removals.of(node, rescheduled).remaining;
    } else if (!node.initialized) {
      uninitialized.add(node.name);
    } else if (avoidsSettlingNodes && isSettling(node, cluster, now)) {
      nodes[index] = settlingNode(node);
    }
  });
  return {
    input: simulatedInput(cluster.scheduling),
    nodes,
    uninitialized,
    pods: session.basePods.of(podsByDeletingNode, cluster),
  };
}

const simulatedInput = memoizeByIdentity(({ pods, ...input }: Cluster['scheduling']): SimulationBase['input'] => ({
  ...input,
  settings: simulatedSettings(input.settings),
  nodePools: input.nodePools.map(withoutReplicas),
}));
const simulatedSettings = memoizeByIdentity((settings: ScheduleInput['settings']): ScheduleInput['settings'] => ({
  ...settings,
  reservedOfferings: 'Fallback',
}));

const settlingNode = memoizeByIdentity((node: ClusterNode): ExistingNode => {
  const settling = cloneNode(node);
  settling.pendingPodsOnly = true;
  return settling;
});
