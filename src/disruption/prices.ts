import { InstanceTypeTable, NodeClassFacts } from '../catalog';
import { Label } from '../model';
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
  const { zones, unavailable, networkInterfaces, nestedVirtualization, connectionTracking, placementGroup, amiFamily, ...always } = facts;
  return {
    ...always,
    // It has no instances of one family.
    amiFamily: amiFamily === 'AL2023' ? 'AL2' : amiFamily,
    ...(facts.reservations ? { reservations: facts.reservations.map((each) => ({ ...each, expiring: false })) } : {}),
  };
}

/** USD per hour of the first offering of its zone and capacity type; 0 where it is not known. */
export function nodePrice({ labels }: Pick<ClusterNode, 'labels'>, table: InstanceTypeTable): number {
  const prices = PRICES.get(table) ?? new WeakMap<ClusterNode['labels'], number>();
  PRICES.set(table, prices);
  const price = prices.get(labels) ?? priceOf(labels, table);
  prices.set(labels, price);
  return price;
}

const PRICES = new WeakMap<InstanceTypeTable, WeakMap<ClusterNode['labels'], number>>();

function priceOf(labels: ClusterNode['labels'], table: InstanceTypeTable): number {
  const type = table.names.indexOf(labels[Label.INSTANCE_TYPE] ?? '');
  const plane = table.offerings.find(({ zone, capacityType, usdPerHour }) =>
    zone === labels[Label.ZONE] && capacityType === labels[Label.CAPACITY_TYPE] && !Number.isNaN(usdPerHour[type] ?? NaN));
  return type < 0 ? 0 : plane?.usdPerHour[type] ?? 0;
}
