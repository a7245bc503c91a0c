import { PodGroup } from '../../scheduling';
import { ClusterNode, ClusterPod } from '../cluster';
import { movable } from '../ground';
import { PodLimits } from '../pdb';
import { reschedulable } from '../pod-eviction';
import { leavingPods } from '../queued';
import { World } from './world';

/** Pods that are still on nodes that go. */
export interface Going {
  readonly groups: readonly PodGroup[];
  /** By node. */
  readonly moved: ReadonlyMap<ClusterNode, readonly ClusterPod[]>;
}

export const NONE_GOING: Going = { groups: [], moved: new Map() };

/** Whether there may be any. */
export function hasGoing(world: World): boolean {
  return goingNodes(world).some(({ pods }) => reschedulable(pods).length > 0);
}

/**
 * Those that Karpenter launches nodes for together with the pods that wait: of the nodes that it deletes itself, what can ever be evicted,
 * be it that a PodDisruptionBudget keeps it for now, or that the next pod of a StatefulSet comes when it is gone.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function goingPods(world: World): Going {
  const cluster = world.snapshot();
  const scene = { limits: new PodLimits(cluster), now: world.now };
  const moved = new Map(goingNodes(world).map((node) => [node, movable(node, scene, false)]));
  return { groups: leavingPods([...moved.values()], cluster.catalog).groups, moved };
}

/** Of a zone that fails Karpenter deletes none. */
function goingNodes(world: World): readonly ClusterNode[] {
  return world.failedZone === undefined ? world.going().flatMap(({ node }) => node.claim ? [node] : []) : [];
}
