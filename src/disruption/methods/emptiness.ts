import { remainingDisruptions, withinBudgets } from '../budgets/disruption-budgets';
import { isEmpty, sortBySavingsRatio } from '../candidates/candidates';
import { isConsolidatable } from '../candidates/consolidatable';
import { DisruptionContext } from '../context';
import { ClusterState } from '../session';
import { Candidate, commandOf, MethodOutcome, Refusal } from '../types';
import { isStaticPool } from './consolidation';

/**
 * Deletes all empty nodes in one command, as many as budgets allow. Pods with a very low priority do not keep a node
 * from being empty: they are evicted with it, whether or not another node has room for them.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/emptiness.go
 */
export function emptiness(context: DisruptionContext): MethodOutcome {
  const blocked: Refusal[] = [];
  const empty = context.candidates('graceful').candidates.filter((candidate) => {
    if (!isEmpty(candidate)) return false;
    const why = emptinessBlock(candidate, context);
    if (why !== undefined) blocked.push({ nodes: [candidate.node.name], why });
    return why === undefined;
  });
  const { allowed, refusals } = withinBudgets(sortBySavingsRatio(empty), remainingDisruptions(context, 'Empty'));
  return {
    commands: allowed.length === 0 ? [] : [commandOf('Emptiness', allowed)],
    refusals: [...blocked, ...refusals],
  };
}

/** Why an empty node is not deleted; undefined if it may be. */
export function emptinessBlock({ nodePool, node }: Candidate, { cluster, now }: ClusterState): string | undefined {
  if (isStaticPool(nodePool, cluster.scheduling)) return `NodePool "${nodePool}" is static`;
  if (cluster.pools.get(nodePool)!.consolidateAfter === undefined)
    return `NodePool "${nodePool}" has consolidation disabled`;
  if (node.hasBufferPods) return `Node "${node.name}" has buffer pods`;
  return isConsolidatable(node, cluster, now) ? undefined : 'consolidateAfter is not over yet';
}
