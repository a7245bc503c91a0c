import { ClaimFacts, ClusterNode, ClusterPod } from './cluster';

/**
 * Copies to be changed before anybody sees them. Scenarios make tens of thousands, and V8 gives each object that is spread from another a
 * hidden class of its own as soon as there are several kinds of others: whoever reads it then looks each property up by its name. So
 * properties are written out here.
 */
type Copy<Of> = { -readonly [Key in keyof Required<Of>]: Of[Key] };

/** With a value, or undefined, for each property. */
export type Whole<Of> = { readonly [Key in keyof Required<Of>]: Of[Key] };

export function copyOfPod(pod: ClusterPod): Copy<ClusterPod> {
  return {
    namespace: pod.namespace,
    name: pod.name,
    shape: pod.shape,
    daemon: pod.daemon,
    terminating: pod.terminating,
    owner: pod.owner,
    madeAtOnce: pod.madeAtOnce,
    annotations: pod.annotations,
    priority: pod.priority,
    critical: pod.critical,
    age: pod.age,
    startedAt: pod.startedAt,
    ready: pod.ready,
    starting: pod.starting,
    ended: pod.ended,
    terminationGraceSeconds: pod.terminationGraceSeconds,
    killedAt: pod.killedAt,
  };
}

export function copyOfNode(node: ClusterNode): Copy<ClusterNode> {
  return {
    name: node.name,
    labels: node.labels,
    taints: node.taints,
    writtenLabels: node.writtenLabels,
    writtenTaints: node.writtenTaints,
    allocatable: node.allocatable,
    capacity: node.capacity,
    initialized: node.initialized,
    settling: node.settling,
    claimOnly: node.claimOnly,
    leaving: node.leaving,
    pods: node.pods,
    volumeLimits: node.volumeLimits,
    annotations: node.annotations,
    claim: node.claim,
    registered: node.registered,
    ready: node.ready,
    faults: node.faults,
    deleting: node.deleting,
    nominatedUntil: node.nominatedUntil,
    buffered: node.buffered,
  };
}

export function copyOfClaim(claim: ClaimFacts): Copy<ClaimFacts> {
  return {
    name: claim.name,
    createdAt: claim.createdAt,
    initializedAt: claim.initializedAt,
    lastPodEventAt: claim.lastPodEventAt,
    expireAfter: claim.expireAfter,
    terminationGracePeriod: claim.terminationGracePeriod,
    deletedAt: claim.deletedAt,
    drifted: claim.drifted,
    instanceTerminating: claim.instanceTerminating,
  };
}
