import { amountsOf } from './amounts';
import { formatTaint } from '../../../model';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { Amounts, NodeVerdict } from '../../vocabulary/node-verdict';
import { NodePoolVerdict } from '../../vocabulary/verdict';
import { limitCost } from '../costs/limit-cost';

/**
 * The NodePools with their instance types, limits and use, in name order.
 *
 * @param isUnknown whether the instance types of a pool, by name, are not known
 */
export function nodePoolVerdicts(
  context: RuleContext,
  nodes: readonly NodeVerdict[],
  isUnknown: (name: string) => boolean,
): NodePoolVerdict[] {
  const { plan, input } = context;
  const specs = new Map(input.nodePools.map((spec) => [spec.name, spec]));
  return plan.pools
    .filter(({ name }) => !isUnknown(name))
    .map((view): NodePoolVerdict => {
      const { name, instanceTypes, zones, capacityTypes, elimination } = view;
      const spec = specs.get(name);
      const own = nodes.filter(({ nodePool }) => nodePool === name);
      const limits = amountsOf(spec?.limits ?? new Map());
      return {
        name,
        instanceTypes,
        zones: [...zones].sort(byCodePoint),
        capacityTypes: [...capacityTypes].sort(byCodePoint),
        elimination,
        weight: spec?.weight ?? 0,
        taints: (spec?.taints ?? []).map(formatTaint),
        limits,
        used: usedOf(Object.keys(limits), own),
        nodes: own.length,
        costPerHour: costOf(own),
        limitCostPerHour: rounded(mostOf(limitCost(view, context), costOf(own))),
      };
    })
    .sort((a, b) => byCodePoint(a.name, b.name));
}

function costOf(nodes: readonly NodeVerdict[]): number | null {
  if (nodes.some(({ price }) => price === null)) return null;
  return rounded(nodes.reduce((sum, { price }) => sum + price!.perHour, 0));
}

/** Nodes of the cluster may be beyond the limits already. */
function mostOf(limit: number | null, now: number | null): number | null {
  return limit === null || now === null ? null : Math.max(limit, now);
}

function rounded(perHour: number | null): number | null {
  return perHour === null ? null : Math.round(perHour * 1e6) / 1e6;
}

/** The capacity of the pool's nodes for each limited resource. The resource `nodes` counts them. */
function usedOf(resources: readonly string[], nodes: readonly NodeVerdict[]): Amounts {
  return Object.fromEntries(
    resources.map(
      (resource) =>
        [
          resource,
          resource === 'nodes' ? nodes.length : nodes.reduce((sum, { capacity }) => sum + (capacity[resource] ?? 0), 0),
        ] as const,
    ),
  );
}
