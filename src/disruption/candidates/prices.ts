import { Catalog, InstanceTypeTable, NodeClassFacts, OfferingPlane } from '../../catalog';
import { Label, memoizeByIdentity } from '../../model';
import { poolTables, ScheduleInput, windowsPools } from '../../scheduling';
import { Cluster, ClusterNode } from '../cluster';

/**
 * Prices of instance types by NodePool, including types that cannot be launched at the moment or that the node class no
 * longer allows: a running node keeps its price.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/base_resolver.go
 */
export function priceTables({
  scheduling,
  catalog,
}: Pick<Cluster, 'scheduling' | 'catalog'>): ReadonlyMap<string, InstanceTypeTable> {
  return poolTables(withAllOfferings(scheduling), catalog).tables;
}

const withAllOfferings = memoizeByIdentity(
  (scheduling: Cluster['scheduling']): ScheduleInput => ({
    ...scheduling,
    nodeClasses: new Map([...scheduling.nodeClasses].map(([name, facts]) => [name, withoutRestrictions(facts)])),
  }),
);

/** The node class without everything that makes an offering unavailable. */
function withoutRestrictions(facts: NodeClassFacts): NodeClassFacts {
  const {
    zones,
    unavailable,
    networkInterfaces,
    nestedVirtualization,
    nitroEnclaves,
    connectionTracking,
    placementGroup,
    amiFamily,
    ...rest
  } = facts;
  return {
    ...rest,
    // AL2023 does not support one of the instance families, AL2 supports them all.
    amiFamily: amiFamily === 'AL2023' ? 'AL2' : amiFamily,
    // The strategy `cluster` restricts instance types; the others only add a partition to offerings.
    ...(placementGroup === undefined || placementGroup.strategy === 'cluster' ? {} : { placementGroup }),
    ...(facts.reservations
      ? { reservations: facts.reservations.map((reservation) => ({ ...reservation, expiring: false })) }
      : {}),
  };
}

/** USD per hour of some nodes together. A node without a NodePool counts as 0, because its price is not known. */
export function costOf(
  nodes: Iterable<Pick<ClusterNode, 'labels'>>,
  cluster: Pick<Cluster, 'scheduling' | 'catalog'>,
): number {
  const tables = priceTables(cluster);
  let sum = 0;
  const windows = windowsPools(cluster.scheduling);
  for (const { labels } of nodes) {
    const nodePool = labels[Label.NODE_POOL] ?? '';
    const table = tables.get(nodePool);
    if (table) sum += chargedPrice({ labels }, table, { catalog: cluster.catalog, isWindows: windows.has(nodePool) });
  }
  return sum;
}

/** What EC2 charges for a node. Karpenter knows no discounts and licences, and compares other prices for bare metal. */
function chargedPrice(
  node: Pick<ClusterNode, 'labels'>,
  table: InstanceTypeTable,
  { catalog, isWindows }: { readonly catalog: Catalog; readonly isWindows: boolean },
): number {
  const usdPerHour = nodePrice(node, table);
  const [instanceType = '', capacityType = ''] = [node.labels[Label.INSTANCE_TYPE], node.labels[Label.CAPACITY_TYPE]];
  // Reserved capacity is paid for already. An unknown type has no price.
  if (capacityType === 'reserved' || usdPerHour === 0) return usdPerHour;
  const isOverlaid = table.priceOverlaid?.[table.names.indexOf(instanceType)] === 1;
  return catalog.bill({ instanceType, capacityType, usdPerHour, isOverlaid, isWindows }).pricePerHour ?? usdPerHour;
}

/** USD per hour of the first offering in the node's zone with its capacity type; 0 if there is none. */
export function nodePrice({ labels }: Pick<ClusterNode, 'labels'>, table: InstanceTypeTable): number {
  return pricesByLabels(table)(labels);
}

const pricesByLabels = memoizeByIdentity((table: InstanceTypeTable) =>
  memoizeByIdentity((labels: ClusterNode['labels']) => priceOf(labels, table)),
);

function priceOf(labels: ClusterNode['labels'], table: InstanceTypeTable): number {
  const type = table.names.indexOf(labels[Label.INSTANCE_TYPE] ?? '');
  const plane = table.offerings.find(
    ({ zone, capacityType, usdPerHour }) =>
      zone === labels[Label.ZONE] &&
      capacityType === labels[Label.CAPACITY_TYPE] &&
      !Number.isNaN(usdPerHour[type] ?? NaN),
  );
  return type < 0 ? 0 : (plane?.usdPerHour[type] ?? 0);
}

/**
 * Whether an offering matches all labels of the node, including its capacity reservation and its placement group
 * partition.
 *
 * @param table of `priceTables`
 */
export function isNodeOffered({ labels }: Pick<ClusterNode, 'labels'>, table: InstanceTypeTable): boolean {
  const type = table.names.indexOf(labels[Label.INSTANCE_TYPE] ?? '');
  return table.offerings.some((plane) => !Number.isNaN(plane.usdPerHour[type] ?? NaN) && matchesLabels(labels, plane));
}

function matchesLabels(
  labels: ClusterNode['labels'],
  { zone, zoneId, capacityType, partition, reservation }: OfferingPlane,
): boolean {
  const common = {
    [Label.ZONE]: zone,
    [Label.CAPACITY_TYPE]: capacityType,
    [Label.ZONE_ID]: zoneId,
    [Label.PLACEMENT_GROUP_PARTITION]: partition,
  };
  // Reservation labels must be equal, absent ones included: an offering without reservation does not match a reserved
  // node.
  const reserved = {
    [Label.CAPACITY_RESERVATION_ID]: reservation?.id,
    [Label.CAPACITY_RESERVATION_TYPE]: reservation?.type,
    [Label.CAPACITY_RESERVATION_INTERRUPTIBLE]: reservation && String(reservation.interruptible),
  };
  return (
    Object.entries(common).every(
      ([key, value]) => value === undefined || labels[key] === undefined || labels[key] === value,
    ) && Object.entries(reserved).every(([key, value]) => labels[key] === undefined || labels[key] === value)
  );
}
