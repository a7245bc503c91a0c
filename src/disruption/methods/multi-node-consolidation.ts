import { remainingDisruptions, withinBudgets } from '../budgets/disruption-budgets';
import { currentCandidate, sortBySavingsRatio } from '../candidates/candidates';
import { isNodeOffered } from '../candidates/prices';
import { ClusterView, DisruptionContext, PassGenerator } from '../context';
import { ClusterState } from '../session';
import { Candidate, Command, commandOf, MethodOutcome, Refusal } from '../types';
import { BalancedEvaluator, NOT_WORTH_DISRUPTION } from './balanced';
import { cheaperTypes, computeConsolidation, consolidationBlock, replacementOf } from './consolidation';

/** Karpenter intends 100, but counts from 0. */
const MAX_CANDIDATES = 101;
/**
 * Milliseconds after which the method returns the best command so far, and drops a simulation that is still running.
 */
const TIMEOUT = 60_000;

/**
 * Removes as many nodes as possible in one command, for one cheaper node or none: the first N candidates by savings. N
 * is found by binary search, so the method may miss a command if a smaller number of candidates fails.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/multinodeconsolidation.go
 */
export function* multiNodeConsolidation(view: ClusterView): PassGenerator<MethodOutcome> {
  const { context } = view;
  const { candidates } = context.candidates('graceful');
  const eligible = candidates.filter((candidate) => consolidationBlock(candidate, context) === undefined);
  const { allowed, refusals: budgetRefusals } = withinBudgets(
    sortBySavingsRatio(eligible),
    remainingDisruptions(context, 'Underutilized'),
  );
  const { command, refusals } = yield* firstNConsolidation(allowed, view, new BalancedEvaluator(context, candidates));
  const isConsolidated = !command && eligible.length > 0 && budgetRefusals.length === 0;
  return { commands: command ? [command] : [], refusals: [...budgetRefusals, ...refusals], isConsolidated };
}

interface LargestCommand {
  readonly command?: Command;
  readonly refusals: readonly Refusal[];
}

function* firstNConsolidation(
  candidates: readonly Candidate[],
  view: ClusterView,
  evaluator: BalancedEvaluator,
): PassGenerator<LargestCommand> {
  const startedAt = view.now;
  const refusals: Refusal[] = [];
  let largest: Command | undefined;
  let [low, high] = [2, Math.min(candidates.length, MAX_CANDIDATES)];
  while (low <= high) {
    const count = Math.floor((low + high) / 2);
    const firstN = candidates.slice(0, count);
    const command = consolidateTogether(firstN, view.context);
    yield;
    if (view.now > startedAt + TIMEOUT) break;
    const why = typeof command === 'string' ? command : balancedRefusal(command, evaluator);
    if (typeof command === 'string' || why !== undefined) {
      refusals.push({ nodes: firstN.map(({ node }) => node.name), why: why! });
      high = count - 1;
    } else {
      largest = command;
      low = count + 1;
    }
  }
  return { command: largest, refusals };
}

function balancedRefusal(command: Command, evaluator: BalancedEvaluator): string | undefined {
  return evaluator.approves(command) ? undefined : NOT_WORTH_DISRUPTION;
}

/** The command, or why there is none. */
function consolidateTogether(earlier: readonly Candidate[], context: DisruptionContext): Command | string {
  const candidates = earlier.flatMap((candidate) => currentCandidate(candidate, context) ?? []);
  if (candidates.length < earlier.length) return 'candidate is deleting';
  const { command, prices, why } = computeConsolidation('MultiNodeConsolidation', candidates, context);
  if (!command) return why;
  if (!prices) return command;
  const [{ claim, instanceTypes }] = command.replacements;
  const types = cheaperTypes(instanceTypes, prices, priceOfSameTypes(instanceTypes, candidates, context));
  return typeof types === 'string'
    ? types
    : commandOf('MultiNodeConsolidation', candidates, [replacementOf(claim!, prices, types)], command.destinations);
}

/**
 * The bound on the price of the replacement if its types include types of the candidates. Deleting only the other
 * candidates would do then, so the replacement must be cheaper than the candidate of the same type.
 *
 * @returns the price of the cheapest such candidate, infinite without one; 0 if none of the candidates of a type
 * matches an offering
 */
function priceOfSameTypes(
  instanceTypes: readonly string[],
  candidates: readonly Candidate[],
  { prices }: ClusterState,
): number {
  const sameTypes = candidates.filter(({ instanceType }) => instanceTypes.includes(instanceType!));
  const offered = sameTypes.filter(({ node, nodePool }) => isNodeOffered(node, prices.get(nodePool)!));
  const withoutOffering = new Set(sameTypes.map(({ instanceType }) => instanceType));
  for (const { instanceType } of offered) withoutOffering.delete(instanceType);
  return withoutOffering.size > 0 ? 0 : Math.min(...offered.map(({ price }) => price));
}
