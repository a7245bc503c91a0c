import { ClusterNode, Instant } from '../../disruption';

/** Milliseconds after which Karpenter gives a node up that has not registered. */
const GIVEN_UP = 15 * 60_000;

/**
 * A node of the cluster as a scenario begins with it: one that is on its way up is up by then, as those are that are launched for pods.
 *
 * @param now of the cluster: one that has been on its way for longer than Karpenter waits stays as it is
 * @param start of the scenario
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/lifecycle/liveness.go
 */
export function upWhenItBegins(node: ClusterNode, now: Instant, start: Instant): ClusterNode {
  const { claimOnly, writtenTaints, writtenLabels, ...up } = node;
  if (node.initialized || !up.claim || now - up.claim.createdAt > GIVEN_UP) return node;
  return {
    ...up,
    labels: { ...writtenLabels, ...up.labels },
    initialized: true,
    registered: true,
    ready: true,
    faults: [],
    claim: { ...up.claim, initializedAt: start },
  };
}
