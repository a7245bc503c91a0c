import { budgetRefusal, remainingDisruptions } from '../budgets/disruption-budgets';
import { currentCandidate, sortBySavingsRatio } from '../candidates/candidates';
import { ClusterView, PassGenerator } from '../context';
import { Candidate, MethodOutcome, Refusal } from '../types';
import { BalancedEvaluator, NOT_WORTH_DISRUPTION } from './balanced';
import { computeConsolidation, consolidationBlock } from './consolidation';

/** Milliseconds after which the method stops, even if candidates remain. */
const TIMEOUT = 180_000;

/**
 * Removes the first candidate whose pods fit elsewhere or on a cheaper node. Candidates of different NodePools
 * alternate, so that a large NodePool does not keep the others waiting.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/singlenodeconsolidation.go
 */
export function* singleNodeConsolidation(view: ClusterView): PassGenerator<MethodOutcome> {
  const { context, now: startedAt } = view;
  const refusals: Refusal[] = [];
  const { candidates } = context.candidates('graceful');
  const eligible = candidates.filter((candidate) => {
    const why = consolidationBlock(candidate, context);
    if (why !== undefined) refusals.push({ nodes: [candidate.node.name], why });
    return why === undefined;
  });
  const evaluator = new BalancedEvaluator(context, candidates);
  const remaining = remainingDisruptions(context, 'Underutilized');
  for (const candidate of interleaveNodePools(sortBySavingsRatio(eligible))) {
    if (view.now > startedAt + TIMEOUT) return { commands: [], refusals };
    const {
      node: { name },
      nodePool,
    } = candidate;
    if ((remaining.get(nodePool) ?? 0) === 0) {
      refusals.push(budgetRefusal(name, nodePool));
      continue;
    }
    const current = currentCandidate(candidate, view.context);
    if (!current) continue;
    if (!evaluator.canPassThreshold(candidate)) {
      refusals.push({ nodes: [name], why: NOT_WORTH_DISRUPTION });
      continue;
    }
    const { command, why } = computeConsolidation('SingleNodeConsolidation', [current], view.context);
    yield;
    if (command && evaluator.approves(command)) return { commands: [command], refusals };
    refusals.push({ nodes: [name], why: why ?? NOT_WORTH_DISRUPTION });
  }
  const isConsolidated =
    eligible.length > 0 && refusals.every(({ limitedByBudgetsOf }) => limitedByBudgetsOf === undefined);
  return { commands: [], refusals, isConsolidated };
}

/**
 * The first candidate of each NodePool, then the second of each. NodePools by name, while Karpenter iterates over a Go
 * map.
 */
function interleaveNodePools(candidates: readonly Candidate[]): Candidate[] {
  const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))].sort();
  const queues = pools.map((pool) => candidates.filter(({ nodePool }) => nodePool === pool));
  const rounds = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue[round] ?? [])).flat();
}
