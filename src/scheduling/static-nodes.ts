import { Catalog, OfferingPlane } from '../catalog';
import { Label } from '../model';
import { LaunchPricing } from './launch-options';
import { launchOf } from './launch-request';
import { launchedNode } from './launched-node';
import { planesAfter } from './reservations-left';
import { ExistingNode, ScheduleInput } from './schedule-input';
import { Offer, PlannedNodeClaim } from './schedule-plan';
import { isStatic } from './static-pools';
import { NODES, PoolTemplate, templateOf } from './templates';
import { compatibleOfferings, typesWithoutPods } from './type-filter';

/** More of one pool are not looked at. */
export const MOST_STATIC_NODES = 10_000;

/** A node that a static pool has whether there are pods or not. */
export interface StaticNode {
  readonly claim: Omit<PlannedNodeClaim, 'pods' | 'groups' | 'requests'>;
  /** Absent where it cannot be launched. */
  readonly node?: ExistingNode;
}

/**
 * The nodes that static pools lack as yet, as if they were up before any pod: Karpenter asks EC2 for any type that the pool leaves, and
 * the cheapest stands for whichever it gets. Pools are gone through by name, as the API server lists them.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export function staticNodes(input: ScheduleInput, catalog: Catalog, pricing: LaunchPricing): StaticNode[] {
  const taken = new Map<string, number>();
  const pools = input.nodePools.filter(isStatic).sort((left, right) => left.name < right.name ? -1 : 1);
  const result: StaticNode[] = [];
  for (const pool of pools) {
    const template = templateOf(pool, input, catalog);
    if (template) result.push(...nodesOf(template, lacking(template, input), input, pricing, { taken, before: result.length }));
  }
  return result;
}

/** A node that leaves is one to replace, and counts towards the limit until it has gone. */
function lacking({ pool }: PoolTemplate, { nodes = [] }: ScheduleInput): number {
  const own = nodes.filter(({ labels }) => labels[Label.NODE_POOL] === pool.name);
  const wanted = (pool.replicas ?? 0) - own.filter(({ leaving }) => !leaving).length;
  const allowed = Number(pool.limits.get(NODES) ?? Infinity) - own.length;
  return Math.min(MOST_STATIC_NODES, Math.max(0, Math.min(wanted, allowed)));
}

/** What the pools before have taken. */
interface Others {
  /** Instances of reservations, to which those of this pool are added. */
  readonly taken: Map<string, number>;
  /** Nodes. */
  readonly before: number;
}

function nodesOf(
  template: PoolTemplate, count: number, { settings, nodes = [] }: ScheduleInput, pricing: LaunchPricing, { taken, before }: Others,
): StaticNode[] {
  const { pool, table, requirements } = template;
  const planes = compatibleOfferings(table, requirements);
  const { types, zones, capacityTypes, cheapest } = pricing.options(table, planes, typesWithoutPods(table, requirements));
  if (types.length === 0) return [];
  const instanceTypes = types.map((type) => table.names[type]);
  const claim = { nodePool: pool.name, instanceTypes, zones, capacityTypes, cheapest, requirements: requirements.values() };
  const zonesLeft = new Set(planes.map(({ zone }) => zone));
  const names = freeNames(pool.name, count, nodes);
  const result: StaticNode[] = [];
  while (result.length < count) {
    const left = planesAfter(planes, taken);
    const launch = launchOf({ template, planes: left, types, zonesLeft, isStatic: true }, settings);
    const offer = launch.launch?.cheapest;
    const alike = names.slice(result.length, result.length + roomIn(left, offer));
    if (offer?.reservation !== undefined) taken.set(offer.reservation, (taken.get(offer.reservation) ?? 0) + alike.length);
    result.push(...alike.map((name, at) => {
      const node = offer && { name, ...launchedNode(template, offer, claim, before + result.length + at) };
      return { claim: { id: name, ...claim, ...launch }, node };
    }));
  }
  return result;
}

/** How many nodes can be launched as it: at least one, since it was chosen. */
function roomIn(planes: readonly OfferingPlane[], offer: Offer | undefined): number {
  const reservation = planes.find((plane) => plane.reservation !== undefined && plane.reservation.id === offer?.reservation)?.reservation;
  return Math.max(1, reservation?.free ?? Infinity);
}

function freeNames(pool: string, count: number, nodes: readonly ExistingNode[]): string[] {
  const taken = new Set(nodes.map(({ name }) => name));
  const names: string[] = [];
  for (let ordinal = 0; names.length < count; ordinal++) {
    const name = `${pool}-${ordinal}`;
    if (!taken.has(name)) names.push(name);
  }
  return names;
}
