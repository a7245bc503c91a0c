import { amountsOf, remainder } from './amounts';
import { Bill, InstanceTypeTable } from '../../../catalog';
import { Label, memoizeByIdentity, merge, ResourceList } from '../../../model';
import { ExistingNode, launchedNode, PlannedNodeClaim, poolTables, templateOf, Offer } from '../../../scheduling';
import { shortages } from '../../instance-types/node-fit';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { NodePrice, NodeVerdict, NodeWorkload, CheaperTypes } from '../../vocabulary/node-verdict';
import { PlanCost } from '../cost';
import { PodsOfWorkload, requestsOf } from '../costs/pods-on-nodes';

const NO_AMOUNTS: ResourceList = new Map();

/**
 * Existing nodes in name order, then the nodes that Karpenter launches, in the order of their creation.
 *
 * @param pods of the nodes, in this order
 */
export function nodeVerdicts(
  context: RuleContext,
  cost: PlanCost,
  pods: ReadonlyArray<readonly PodsOfWorkload[]>,
): NodeVerdict[] {
  const { plan, input } = context;
  const existing = [...(input.nodes ?? [])].sort((a, b) => byCodePoint(a.name, b.name));
  return [
    ...existing.map((node, index) => existingNode(node, pods[index], cost, context)),
    ...plan.nodeClaims.map((claim, ordinal) => newNode(claim, ordinal, pods[existing.length + ordinal], cost, context)),
  ];
}

function newNode(
  claim: PlannedNodeClaim,
  ordinal: number,
  pods: readonly PodsOfWorkload[],
  cost: PlanCost,
  context: RuleContext,
): NodeVerdict {
  const { input, catalog } = context;
  const { id, nodePool, requests, launch } = claim;
  const podRequests = sumOf(pods);
  const spec = input.nodePools.find(({ name }) => name === nodePool);
  const template = spec && templateOf(spec, input, catalog);
  const node = launch && template ? launchedNode(template, launch.cheapest, claim, ordinal) : undefined;
  const offer = launch?.cheapest;
  return {
    name: id,
    existing: false,
    nodePool,
    instanceType: offer?.instanceType ?? null,
    zone: offer?.zone ?? null,
    capacityType: offer?.capacityType ?? null,
    price: offer && offer.reservation === undefined ? priceOf(cost.billOf(nodePool, offer)) : null,
    capacity: amountsOf(node?.capacity ?? NO_AMOUNTS),
    allocatable: amountsOf(node?.allocatable ?? NO_AMOUNTS),
    requests: { pods: amountsOf(podRequests), daemonSets: amountsOf(remainder(requests, podRequests)) },
    workloads: workloadsOf(pods),
    cheaperTypes:
      offer && template && catalog.unknownPrices === undefined
        ? cheaperTypeLacks(claim, offer, template, context)
        : null,
  };
}

function existingNode(
  node: ExistingNode,
  pods: readonly PodsOfWorkload[],
  cost: PlanCost,
  context: RuleContext,
): NodeVerdict {
  const { name, labels, capacity, allocatable } = node;
  const nodePool = labels[Label.NODE_POOL] ?? null;
  const [instanceType = null, zone = null, capacityType = null] = [
    labels[Label.INSTANCE_TYPE],
    labels[Label.ZONE],
    labels[Label.CAPACITY_TYPE],
  ];
  return {
    name,
    existing: true,
    nodePool,
    instanceType,
    zone,
    capacityType,
    price: existingPrice({ nodePool, instanceType, zone, capacityType }, cost, context),
    capacity: amountsOf(capacity),
    allocatable: amountsOf(allocatable),
    requests: {
      pods: amountsOf(sumOf(pods)),
      daemonSets: amountsOf(merge(...node.pods.filter(({ daemon }) => daemon).map(requestsOf))),
    },
    workloads: workloadsOf(pods),
    cheaperTypes: null,
  };
}

/** The price of the offering that the labels of a node name, if its NodePool is known. */
function existingPrice(
  {
    nodePool,
    instanceType,
    zone,
    capacityType,
  }: Pick<NodeVerdict, 'nodePool' | 'instanceType' | 'zone' | 'capacityType'>,
  cost: PlanCost,
  { input, catalog }: RuleContext,
): NodePrice | null {
  const table = nodePool === null ? undefined : poolTables(input, catalog).tables.get(nodePool);
  if (!table || instanceType === null || zone === null || capacityType === null || capacityType === 'reserved')
    return null;
  const offered = table.offerings.find((plane) => plane.zone === zone && plane.capacityType === capacityType);
  const usdPerHour = offered?.usdPerHour[table.names.indexOf(instanceType)] ?? NaN;
  return Number.isNaN(usdPerHour)
    ? null
    : priceOf(cost.billOf(nodePool!, { instanceType, zone, capacityType, usdPerHour }));
}

function priceOf(bill: Bill): NodePrice | null {
  return bill.pricePerHour === null
    ? null
    : { perHour: bill.pricePerHour, kind: bill.source.kind, date: bill.source.date ?? null };
}

function sumOf(pods: readonly PodsOfWorkload[]): ResourceList {
  return merge(
    ...pods.map(
      ({ requests, pods: count }) =>
        new Map([...requests].map(([resource, amount]) => [resource, amount * BigInt(count)])),
    ),
  );
}

/** Pods of a workload with different requests stay apart. */
function workloadsOf(pods: readonly PodsOfWorkload[]): NodeWorkload[] {
  const merged = new Map<string, NodeWorkload>();
  for (const { namespace, name, requests, pods: count } of pods) {
    const workload = `${namespace}/${name}`;
    const amounts = amountsOf(new Map([...requests].filter(([resource]) => resource !== 'pods')));
    const key = JSON.stringify([workload, amounts]);
    merged.set(key, { workload, pods: count + (merged.get(key)?.pods ?? 0), requests: amounts });
  }
  return [...merged].sort(([a], [b]) => byCodePoint(a, b)).map(([, entry]) => entry);
}

/** The instance types of the NodePool that cost less than the launched one, and what they lack for the node's pods. */
function cheaperTypeLacks(
  { nodePool, instanceTypes, requests }: PlannedNodeClaim,
  offer: Offer,
  { table }: NonNullable<ReturnType<typeof templateOf>>,
  { plan }: RuleContext,
): CheaperTypes | null {
  const usable = new Set(instanceTypes);
  const launchable = plan.pools.find(({ name }) => name === nodePool)?.instanceTypes ?? [];
  const prices = pricesOf(table, offer);
  const lack: Record<string, number> = {};
  let nearest: CheaperTypes['nearest'] | undefined;
  let count = 0;
  for (const instanceType of launchable) {
    const type = indexOf(table)(instanceType);
    const perHour = prices(type);
    if (usable.has(instanceType) || !(perHour < offer.usdPerHour)) continue;
    count++;
    const lacks = shortages(table, type, requests).map(({ resource }) => resource);
    for (const resource of lacks) lack[resource] = (lack[resource] ?? 0) + 1;
    if (nearest === undefined || perHour > nearest.perHour) nearest = { instanceType, perHour, lacks };
  }
  return nearest === undefined ? null : { count, lack, nearest };
}

const indexOf = memoizeByIdentity(({ names }: InstanceTypeTable) => {
  const indices = new Map(names.map((name, index) => [name, index]));
  return (name: string) => indices.get(name) ?? -1;
});

/** The price of a type in the zone and with the capacity type of the offer; NaN if it is not sold there. */
function pricesOf({ offerings }: InstanceTypeTable, { zone, capacityType }: Offer): (type: number) => number {
  const plane = offerings.find((candidate) => candidate.zone === zone && candidate.capacityType === capacityType);
  return (type) => plane?.usdPerHour[type] ?? NaN;
}
