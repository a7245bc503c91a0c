import { remainingDisruptions } from './budgets';
import { bySavings, Candidate, findCandidates, isEmpty, Scene } from './candidates';
import { commandOf, Outcome, Refusal } from './command';
import { isConsolidatable } from './consolidate-after';
import { withinBudgets } from './within-budgets';

/**
 * Deletes all empty nodes at once, as many as budgets allow. A node is empty as soon as no pod on it is worth keeping it for: pods of
 * very low priority go with it, whether there is another place for them or not.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/emptiness.go
 */
export function emptiness(scene: Scene): Outcome {
  const refusals: Refusal[] = [];
  const empty = findCandidates(scene, 'graceful').candidates.filter((candidate) => {
    const why = isEmpty(candidate) ? keptEmpty(candidate, scene) : '';
    if (why) refusals.push({ nodes: [candidate.node.name], why });
    return why === undefined;
  });
  const { allowed, held } = withinBudgets(bySavings(empty), remainingDisruptions(scene.cluster, 'Empty', scene.now));
  return { commands: allowed.length === 0 ? [] : [commandOf('Emptiness', allowed)], refusals: [...refusals, ...held] };
}

/** Why an empty node is left all the same. */
export function keptEmpty({ nodePool, node }: Candidate, { cluster, now }: Scene): string | undefined {
  if (cluster.scheduling.nodePools.some(({ name, replicas }) => name === nodePool && replicas !== undefined)) return `NodePool "${nodePool}" is static`;
  if (cluster.pools.get(nodePool)!.consolidateAfter === undefined) return `NodePool "${nodePool}" has consolidation disabled`;
  if (node.buffered) return `Node "${node.name}" has buffer pods`;
  return isConsolidatable(node, cluster, now) ? undefined : 'consolidateAfter is not over yet';
}
