import { CheckContext } from './check-context';
import { podGroupIndices } from './schedule-input';
import { timesOf } from '../../disruption';
import {
  planOfPasses,
  ProvisioningPass,
  ScheduleInput,
  SchedulePlan,
  SettledFleet,
  settledFleets,
  settledPlan,
} from '../../scheduling';
import { SettleOptions } from '../check-options';
import { byCodePoint } from '../order';

/** Fleets with more pods are not settled, because that would take longer than everything else. */
const MAX_SETTLED_PODS = 50_000;

/** The fleets that Karpenter ends with, one for each order of names and UIDs. */
export interface SettledFleets {
  readonly fleets: readonly SettledFleet[];
  /**
   * The fleet that is drawn, explained and judged: it has the median number of nodes, and of those that have, the price
   * next to the median.
   */
  readonly representative: SettledFleet;
  /** The plan with the nodes and pods of `representative`. */
  readonly plan: SchedulePlan;
  /** @default - that of the passes */
  readonly lastInput?: ScheduleInput;
}

/**
 * Undefined if no node is launched, if a launch fails, if the input is too large, or if the fleet grows without end.
 *
 * @param passes over the input of the context
 */
export function settleFleets(
  context: CheckContext,
  passes: readonly ProvisioningPass[],
  { nodeStart, maxOrders, ...order }: SettleOptions,
): SettledFleets | undefined {
  const { input, catalog, options } = context;
  const [{ plan: firstPlan, solved: first }] = passes;
  const podCount = input.pods.reduce((sum, { count }) => sum + count, 0);
  if (podCount > MAX_SETTLED_PODS || first.isBeyondBounds || !firstPlan.nodeClaims.some(({ launch }) => launch))
    return undefined;
  const times = timesOf('consolidation', { times: nodeStart === undefined ? {} : { nodeStart } });
  const fleets = settledFleets(input, catalog, {
    nodeStart: times.nodeStart,
    arrivals: arrivalsOf(context, order),
    maxOrders,
    first,
    onOrder: (done) => options.onProgress?.({ task: 'settling nodes, order', done }),
  });
  if (fleets.length === 0 || fleets.some(({ isGrowing }) => isGrowing)) return undefined;
  const plan = planOfPasses(passes);
  if (plan.nodeClaims.some(({ launch }) => launch === undefined)) return undefined;
  const representative = representativeOf(fleets);
  const settled = settledPlan(representative, { input, catalog, plan, admitted: new Set(first.indices) });
  return settled && { fleets, representative, ...settled };
}

function representativeOf(fleets: readonly SettledFleet[]): SettledFleet {
  const nodes = medianOf(fleets.map(launchedNodes));
  const price = medianOf(fleets.map(listPrice));
  const distance = (fleet: SettledFleet) => Math.abs(listPrice(fleet) - price);
  return fleets
    .filter((fleet) => launchedNodes(fleet) === nodes)
    .reduce((nearest, fleet) => (distance(fleet) < distance(nearest) ? fleet : nearest));
}

function launchedNodes({ nodes }: SettledFleet): number {
  return nodes.filter(({ claim }) => claim !== undefined).length;
}

function listPrice({ nodes }: SettledFleet): number {
  return nodes.reduce((sum, { claim, offer }) => sum + (claim && offer ? offer.usdPerHour : 0), 0);
}

/** Of an even number of figures the lower one: a figure that was simulated. */
function medianOf(figures: readonly number[]): number {
  return [...figures].sort((left, right) => left - right)[Math.floor((figures.length - 1) / 2)];
}

/**
 * When the pods of each group are created, in seconds; undefined if all are created at the start. Pods of the cluster
 * files exist already.
 */
function arrivalsOf(
  { model, input }: CheckContext,
  { order, interval = 5 }: Omit<SettleOptions, 'nodeStart' | 'maxOrders'>,
): number[] | undefined {
  if (order === undefined) return undefined;
  const arrivals = input.pods.map(() => 0);
  const workloads = [...model.workloads];
  if (order === 'name') workloads.sort((a, b) => byCodePoint(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
  const files = [...new Set(workloads.map(({ object }) => object.locate([]).file))];
  let position = 0;
  for (const workload of workloads) {
    const groups = podGroupIndices(workload);
    if (groups.length === 0) continue;
    const turn = order === 'file-by-file' ? files.indexOf(workload.object.locate([]).file) : position++;
    for (const group of groups) arrivals[group] = turn * interval;
  }
  return arrivals;
}
