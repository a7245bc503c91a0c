import { ClaimFacts, ClusterNode, ClusterPod } from './cluster';

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/**
 * A copy whose properties may be set before other code sees it. Nodes, pods and claims are never changed after that.
 */
export function cloneNode(node: ClusterNode): Writable<ClusterNode> {
  return { ...node };
}

/** @see cloneNode */
export function clonePod(pod: ClusterPod): Writable<ClusterPod> {
  return { ...pod };
}

/** @see cloneNode */
export function cloneClaim(claim: ClaimFacts): Writable<ClaimFacts> {
  return { ...claim };
}
