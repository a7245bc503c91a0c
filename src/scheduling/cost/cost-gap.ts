import { NamedRow } from './covering-rows';
import { LaunchOption, offeringKey } from './node-options';
import { PlannedNodeClaim, SchedulePlan } from '../schedule-plan';

/** Rounding errors of a part, as a share of the price. */
const SLACK = 1e-6;

/** Why a plan costs more than its lower bound. The parts are not negative and add up to the difference. */
export interface CostGap {
  /** Instance types that cost more than the dual values of what they provide, the largest part first. */
  readonly types: ReadonlyArray<{
    readonly nodePool: string;
    readonly instanceType: string;
    readonly nodes: number;
    readonly usdPerHour: number;
  }>;
  /** What the nodes provide and the pods do not need, by resource, at its dual value, the largest part first. */
  readonly unused: ReadonlyArray<{ readonly what: string; readonly usdPerHour: number }>;
}

interface SolvedProgram {
  readonly rows: readonly NamedRow[];
  /** The columns of the rows. */
  readonly options: readonly LaunchOption[];
  /** The dual values of the rows. */
  readonly values: Float64Array;
  /** The proven bound. */
  readonly usdPerHour: number;
}

/**
 * Divides what the plan costs above the bound. The price of a node is the dual value of all that it provides, and a
 * rest. What the pods need has the value of the bound, so that what is left over has the remaining value.
 *
 * @param prices what each NodeClaim costs an hour
 * @returns undefined if a node is not part of the program
 */
export function costGap(
  { rows, options, values, usdPerHour }: SolvedProgram,
  { nodeClaims }: SchedulePlan,
  prices: readonly number[],
): CostGap | undefined {
  const columns = nodeClaims.map((claim) => columnOf(claim, options));
  if (columns.includes(-1)) return undefined;
  const price = prices.reduce((sum, node) => sum + node, 0);
  const types = new Map<string, { nodePool: string; instanceType: string; nodes: number; usdPerHour: number }>();
  columns.forEach((column, claim) => {
    const { nodePool, instanceType } = options[column];
    const key = JSON.stringify([nodePool, instanceType]);
    const type = types.get(key) ?? { nodePool, instanceType, nodes: 0, usdPerHour: 0 };
    const worth = rows.reduce((sum, { provided }, row) => sum + values[row] * provided[column], 0);
    type.nodes++;
    type.usdPerHour += prices[claim] - worth;
    types.set(key, type);
  });
  const unused = new Map<string, number>();
  rows.forEach(({ what, needed, provided }, row) => {
    const left = columns.reduce((sum, column) => sum + provided[column], 0) - Number(needed);
    unused.set(what, (unused.get(what) ?? 0) + values[row] * left);
  });
  const parts = [...[...types.values()].map((type) => type.usdPerHour), ...unused.values()];
  if (parts.some((part) => part < -SLACK * price)) return undefined;
  // The proven bound is rounded, and its dual values are a little smaller.
  const sum = parts.reduce((total, part) => total + Math.max(0, part), 0);
  const scale = sum === 0 ? 0 : Math.max(0, price - usdPerHour) / sum;
  const isPart = (part: { readonly usdPerHour: number }) => part.usdPerHour > SLACK * price;
  const byPrice = (left: { readonly usdPerHour: number }, right: { readonly usdPerHour: number }) =>
    right.usdPerHour - left.usdPerHour;
  return {
    types: [...types.values()]
      .map((type) => ({ ...type, usdPerHour: type.usdPerHour * scale }))
      .filter(isPart)
      .sort(byPrice),
    unused: [...unused]
      .map(([what, value]) => ({ what, usdPerHour: value * scale }))
      .filter(isPart)
      .sort(byPrice),
  };
}

/** The column of the node that EC2 launches for the claim; -1 if there is none. */
function columnOf({ nodePool, launch }: PlannedNodeClaim, options: readonly LaunchOption[]): number {
  if (launch === undefined) return -1;
  const { instanceType } = launch.cheapest;
  const offering = offeringKey(launch.cheapest);
  return options.findIndex(
    (option) => option.nodePool === nodePool && option.instanceType === instanceType && option.offerings.has(offering),
  );
}
