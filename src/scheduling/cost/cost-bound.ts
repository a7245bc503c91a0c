import { provenBound } from './certificate';
import { costGap, CostGap } from './cost-gap';
import { CoveringRows, NamedRow } from './covering-rows';
import { LaunchOption, nodeOptions, typeKey } from './node-options';
import { Demand, demandOf } from './pod-kinds';
import { CoveringProgram, dualValues } from './simplex';
import { Catalog } from '../../catalog';
import { amountsPerColumnUnit } from '../../model';
import { ExistingNode, ScheduleInput } from '../input/schedule-input';
import { SchedulePlan } from '../schedule-plan';

/**
 * Lower bound in USD per hour for the new nodes of every fleet that runs the placed pods on nodes of these NodePools;
 * null if no pod is placed on a new node.
 *
 * A linear program: all nodes together provide what the pods request of each resource, and enough places for whole
 * pods of each kind, for the pods of at least some size, and for pods that keep apart from each other. Node selectors,
 * affinity to nodes, taints, zones of volumes, DaemonSets and host ports count; spread, affinity between pods, limits
 * and minValues do not, and can only make a fleet dearer. The bound is what the dual values prove in exact integers.
 */
export function costLowerBound(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): number | null {
  return explainedBound(input, plan, catalog)?.usdPerHour ?? null;
}

/** A lower bound, and why the plan costs more. */
export interface ExplainedBound {
  readonly usdPerHour: number;
  /** @param prices what each NodeClaim of the plan costs an hour */
  gap(prices: readonly number[]): CostGap | undefined;
}

/** As `costLowerBound`, with what makes the plan dearer. */
export function explainedBound(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): ExplainedBound | undefined {
  if (plan.nodeClaims.every(({ groups }) => groups.size === 0)) return undefined;
  const { rows, options } = problemOf(input, plan, catalog);
  if (rows.length === 0) return undefined;
  const program = { prices: options.map((option) => option.usdPerHour), rows };
  const values = dualValues(program);
  const usdPerHour = provenBound(program, values);
  return { usdPerHour, gap: (prices) => costGap({ rows, options, values, usdPerHour }, plan, prices) };
}

/** The linear program whose value no fleet for the placed pods can undercut. */
export function coveringProgram(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): CoveringProgram {
  const { rows, options } = problemOf(input, plan, catalog);
  return { prices: options.map(({ usdPerHour }) => usdPerHour), rows };
}

function problemOf(
  input: ScheduleInput,
  plan: SchedulePlan,
  catalog: Catalog,
): { readonly rows: readonly NamedRow[]; readonly options: readonly LaunchOption[] } {
  const demand = demandOf(input, plan);
  const planned = plan.nodeClaims.flatMap(({ nodePool, launch }) =>
    launch === undefined ? [] : [typeKey(nodePool, launch.cheapest.instanceType)],
  );
  const options = nodeOptions(input, demand, catalog, new Set(planned));
  const existing = (input.nodes ?? []).map((node) => roomLeft(node, demand));
  return { rows: new CoveringRows(demand, options, existing).all(), options };
}

/** What the node's running pods leave, rounded up. */
function roomLeft({ allocatable, pods, markedForDeletion }: ExistingNode, { resources }: Demand): Float64Array {
  return Float64Array.from(resources, (resource) => {
    const used = pods.reduce(
      (sum, { shape }) => sum + (resource === 'pods' ? 1n : (shape.requests.get(resource) ?? 0n)),
      0n,
    );
    const left = Number((allocatable.get(resource) ?? 0n) - used) / amountsPerColumnUnit(resource);
    return markedForDeletion ? 0 : Math.max(0, Math.ceil(left));
  });
}
