import { fleetErrors } from './feasibility';
import { Fleet, FleetNode } from './fleet';
import { PriceOf } from './fleet-options';
import { FleetProblem, fleetProblem } from './fleet-problem';
import { FrozenPods } from './frozen-pods';
import { Improvement } from './improvement';
import { NodeFilling } from './node-filling';
import { Catalog } from '../../catalog';
import { Label } from '../../model';
import { podPrices } from '../cost/cost-bound';
import { placedPods, PlacedPods } from '../cost/pod-kinds';
import { ScheduleInput } from '../input/schedule-input';
import { Offer, SchedulePlan } from '../schedule-plan';

/** So many pods are looked at, which takes some seconds. A count instead of a clock gives the same fleet everywhere. */
const MAX_STEPS = 24_000_000;
/** How often all pods are placed again, with other worths, before the best fleet is improved. */
const PASSES = 6;
/** The first pass may take more steps, because without it there is no fleet. */
const FIRST_PASS = 3;
const SEED = 48;

/** A node of the best fleet that was found. */
export interface BestNode {
  readonly nodePool: string;
  readonly offer: Offer;
  readonly usdPerHour: number;
  /** Index into `ScheduleInput.pods` → number of pods of the group. */
  readonly groups: ReadonlyMap<number, number>;
}

/** The cheapest fleet that a search found for the pods of a plan. Karpenter would not build it by itself. */
export interface BestFleet {
  /** Of all new nodes, the kept ones included. */
  readonly usdPerHour: number;
  readonly nodes: readonly BestNode[];
  /** Indices into the NodeClaims of the plan: nodes that the search left as they are, with their pods. */
  readonly kept: readonly number[];
  /** Whether the search ended before it had tried all that it would. */
  readonly isCut: boolean;
}

export interface BestFleetOptions {
  /** What EC2 charges for a node. */
  readonly priceOf: PriceOf;
  /** @default - as many as take some seconds */
  readonly maxSteps?: number;
}

/**
 * Searches for the cheapest nodes that these NodePools can launch for the pods that a plan places on new nodes. The
 * fleet keeps all hard constraints of the pods, and the requirements, taints and limits of the NodePools. It does not
 * keep preferences of pods, weights of NodePools and minValues. The result is checked by code that the search does not
 * use.
 *
 * @returns undefined if the search finds no fleet, or if a price is unknown
 */
export function bestFleet(
  input: ScheduleInput,
  plan: SchedulePlan,
  catalog: Catalog,
  { priceOf, maxSteps = MAX_STEPS }: BestFleetOptions,
): BestFleet | undefined {
  if (plan.nodeClaims.length === 0 || keepsZonesFree(input)) return undefined;
  const placed = placedPods(input, plan);
  const frozen = new FrozenPods(input, plan, placed, catalog);
  const kept = [...frozen.claims];
  const keptPrices = kept.map((index) => {
    const { nodePool, launch } = plan.nodeClaims[index];
    return launch === undefined ? null : priceOf(nodePool, launch.cheapest);
  });
  if (keptPrices.includes(null)) return undefined;
  const prices = podPrices(input, plan, catalog);
  const problem = fleetProblem(plan, placed, frozen, { input, catalog, prices, priceOf });
  const values = problem.kinds.map(({ podClass }) => prices.valueOf(podClass));
  const found = search(problem, values, maxSteps);
  if (found === undefined) return undefined;
  const nodes = bestNodes(found.fleet, problem, placed, plan, frozen);
  if (fleetErrors(input, plan, catalog, { nodes, kept }).length > 0) return undefined;
  const usdPerHour = [...nodes.map((node) => node.usdPerHour), ...keptPrices].reduce(
    (sum: number, price) => sum + price!,
    0,
  );
  return { usdPerHour, nodes, kept, isCut: found.isCut };
}

/** Whether running pods keep other pods out of zones. The search does not know which. */
function keepsZonesFree({ nodes = [] }: ScheduleInput): boolean {
  return nodes.some(({ pods }) =>
    pods.some(({ shape }) => shape.podAntiAffinity?.required.some(({ topologyKey }) => topologyKey !== Label.HOSTNAME)),
  );
}

function search(
  problem: FleetProblem,
  values: readonly number[],
  maxSteps: number,
): { readonly fleet: Fleet; readonly isCut: boolean } | undefined {
  const filling = new NodeFilling(problem, values);
  let fleet: Fleet | undefined;
  for (let pass = 0; pass < PASSES && filling.steps <= maxSteps / 2; pass++) {
    const next = new Fleet(problem);
    if (!filling.placeAll(next, fleet === undefined ? FIRST_PASS * maxSteps : maxSteps)) break;
    if (fleet === undefined || next.usdPerHour < fleet.usdPerHour) fleet = next;
    filling.adjust(next);
  }
  if (fleet === undefined) return undefined;
  const isComplete = new Improvement(problem, filling, SEED).run(fleet, maxSteps);
  return { fleet, isCut: !isComplete };
}

/** Gives each kind's pods to its groups, in their order. */
function bestNodes(
  fleet: Fleet,
  { options, kinds }: FleetProblem,
  placed: PlacedPods,
  plan: SchedulePlan,
  frozen: FrozenPods,
): BestNode[] {
  const left = new Map<number, number>();
  plan.nodeClaims.forEach(({ groups }, index) => {
    if (frozen.claims.has(index)) return;
    for (const [group, count] of groups) left.set(group, (left.get(group) ?? 0) + count);
  });
  const classOf = new Map(placed.groups.map((group, index) => [group, placed.classified.classOf[index]]));
  const groupsOf = (podClass: number) => [...left.keys()].filter((group) => classOf.get(group) === podClass);
  const groupsByKind = kinds.map(({ podClass }) => groupsOf(podClass));
  const take = ({ load }: FleetNode) => {
    const groups = new Map<number, number>();
    for (const [kind, count] of load) {
      let open = count;
      for (const group of groupsByKind[kind]) {
        const taken = Math.min(open, left.get(group)!);
        if (taken === 0) continue;
        left.set(group, left.get(group)! - taken);
        groups.set(group, taken);
        open -= taken;
      }
    }
    return groups;
  };
  return [...fleet.nodes].map((node) => {
    const { nodePool, offer, usdPerHour } = options[node.option];
    return { nodePool, offer, usdPerHour, groups: take(node) };
  });
}
