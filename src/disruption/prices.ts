import { InstanceTypeTable, NodeClassFacts, OfferingPlane } from '../catalog';
import { Label, oncePer } from '../model';
import { poolTables, ScheduleInput } from '../scheduling';
import { Cluster, ClusterNode } from './cluster';

/**
 * By NodePool: what instance types cost, be it that nobody can launch them at the moment, or that the node class no longer would. Nodes that
 * run cost what they cost.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/base_resolver.go
 */
export function priceTables({ scheduling, catalog }: Pick<Cluster, 'scheduling' | 'catalog'>): ReadonlyMap<string, InstanceTypeTable> {
  let input = known.get(scheduling);
  if (input === undefined) {
    input = { ...scheduling, nodeClasses: new Map([...scheduling.nodeClasses].map(([name, facts]) => [name, offeredEverywhere(facts)])) };
    known.set(scheduling, input);
  }
  return poolTables(input, catalog).tables;
}

const known = new WeakMap<object, ScheduleInput>();

/** Without all that makes an offering unavailable. */
function offeredEverywhere(facts: NodeClassFacts): NodeClassFacts {
  const {
    zones, unavailable, networkInterfaces, nestedVirtualization, nitroEnclaves, connectionTracking, placementGroup, amiFamily, ...always
  } = facts;
  return {
    ...always,
    // It has no instances of one family.
    amiFamily: amiFamily === 'AL2023' ? 'AL2' : amiFamily,
    // Of a strategy that takes only some types no offering tells.
    ...(placementGroup === undefined || placementGroup.strategy === 'cluster' ? {} : { placementGroup }),
    ...(facts.reservations ? { reservations: facts.reservations.map((each) => ({ ...each, expiring: false })) } : {}),
  };
}

/** USD per hour of some nodes together; of those that no NodePool launched nothing is known. */
export function costOf(nodes: Iterable<Pick<ClusterNode, 'labels'>>, cluster: Pick<Cluster, 'scheduling' | 'catalog'>): number {
  const cost = costsIn(priceTables(cluster));
  let sum = 0;
  for (const { labels } of nodes) sum += cost(labels);
  return sum;
}

const costsIn = oncePer((tables: ReadonlyMap<string, InstanceTypeTable>) => oncePer((labels: ClusterNode['labels']) => {
  const table = tables.get(labels[Label.NODE_POOL] ?? '');
  return table ? nodePrice({ labels }, table) : 0;
}));

/** USD per hour of the first offering of its zone and capacity type; 0 where it is not known. */
export function nodePrice({ labels }: Pick<ClusterNode, 'labels'>, table: InstanceTypeTable): number {
  return pricesOf(table)(labels);
}

const pricesOf = oncePer((table: InstanceTypeTable) => oncePer((labels: ClusterNode['labels']) => priceOf(labels, table)));

function priceOf(labels: ClusterNode['labels'], table: InstanceTypeTable): number {
  const type = table.names.indexOf(labels[Label.INSTANCE_TYPE] ?? '');
  const plane = table.offerings.find(({ zone, capacityType, usdPerHour }) =>
    zone === labels[Label.ZONE] && capacityType === labels[Label.CAPACITY_TYPE] && !Number.isNaN(usdPerHour[type] ?? NaN));
  return type < 0 ? 0 : plane?.usdPerHour[type] ?? 0;
}

/**
 * Whether an offering is like the node in all that it tells: also in the reservation, or in the partition of a placement group.
 *
 * @param table of `priceTables`
 */
export function isOffered({ labels }: Pick<ClusterNode, 'labels'>, table: InstanceTypeTable): boolean {
  const type = table.names.indexOf(labels[Label.INSTANCE_TYPE] ?? '');
  return table.offerings.some((plane) => !Number.isNaN(plane.usdPerHour[type] ?? NaN) && isLike(labels, plane));
}

function isLike(labels: ClusterNode['labels'], { zone, zoneId, capacityType, partition, reservation }: OfferingPlane): boolean {
  const told = { [Label.ZONE]: zone, [Label.CAPACITY_TYPE]: capacityType, [Label.ZONE_ID]: zoneId, [Label.PLACEMENT_GROUP_PARTITION]: partition };
  // None of a reservation but the offering of that one.
  const reserved = {
    [Label.CAPACITY_RESERVATION_ID]: reservation?.id,
    [Label.CAPACITY_RESERVATION_TYPE]: reservation?.type,
    [Label.CAPACITY_RESERVATION_INTERRUPTIBLE]: reservation && String(reservation.interruptible),
  };
  return Object.entries(told).every(([key, value]) => value === undefined || labels[key] === undefined || labels[key] === value)
    && Object.entries(reserved).every(([key, value]) => labels[key] === undefined || labels[key] === value);
}
