import { bestFleet, ScheduleInput } from '../../../scheduling';
import { RuleContext } from '../../rules';
import { BestFound } from '../../vocabulary/verdict';
import { PlanCost } from '../cost';

/** As precise as the price of the plan and the lower bound, which it is never below. */
const PRICE_DIGITS = 1e8;
/** Larger inputs take longer than the search is worth. */
const MAX_PODS = 20_000;

/**
 * The cheapest fleet that a search finds for the pods of the plan, or the plan if the search finds nothing cheaper.
 * Undefined if the plan has no price, and for very large inputs.
 */
export function bestFound(context: Pick<RuleContext, 'input' | 'plan' | 'catalog'>): BestFound | undefined {
  const { input, plan, catalog } = context;
  const cost = new PlanCost(context);
  const planned = cost.usdPerHour();
  if (planned === null || podsOf(input) > MAX_PODS) return undefined;
  const best = bestFleet(input, plan, catalog, {
    priceOf: (nodePool, offer) => cost.billOf(nodePool, offer).pricePerHour,
  });
  if (best === undefined) return undefined;
  const usdPerHour = Math.round(best.usdPerHour * PRICE_DIGITS) / PRICE_DIGITS;
  if (usdPerHour >= planned)
    return { usdPerHour: planned, nodes: plan.nodeClaims.length, keptNodes: plan.nodeClaims.length, isCut: best.isCut };
  return {
    usdPerHour,
    nodes: best.nodes.length + best.kept.length,
    keptNodes: best.kept.length,
    isCut: best.isCut,
  };
}

function podsOf({ pods }: ScheduleInput): number {
  return pods.reduce((sum, { count }) => sum + count, 0);
}
