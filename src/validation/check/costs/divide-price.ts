import { mapPriced, nodeAmounts, PRICED, PricedAmounts, pricedAmounts, WEIGHTS } from './node-shares';
import { PodsOfWorkload } from './pods-on-nodes';
import { NodeVerdict } from '../../vocabulary/node-verdict';
import { amountsOf } from '../details/amounts';

/** Why somebody pays for a part of a node. */
export const PURPOSES = ['own', 'daemonSets', 'system', 'idle'] as const;
export type Purpose = (typeof PURPOSES)[number];
/** The price an hour of a part of a node, by purpose and resource. */
export type PriceParts = Readonly<Record<Purpose, PricedAmounts>>;

/** What the equal pods of a workload pay on one node. */
export interface PaidByPods {
  /** Undefined if the node has no pods: then all of its price is paid by nobody. */
  readonly pods?: PodsOfWorkload;
  /** The requests of these pods: cores, GiB and devices. */
  readonly requests: PricedAmounts;
  readonly parts: PriceParts;
}

const NONE = mapPriced(() => 0);

/**
 * Divides the price of a node completely. Each resource has its part by capacity and weight. Pods pay what they
 * request, and in proportion to it what DaemonSets and the system use, and what nothing requests. If no pod requests
 * a resource, all pods pay for it in proportion to what they pay for the other resources.
 */
export function dividePrice(node: NodeVerdict, groups: readonly PodsOfWorkload[]): PaidByPods[] {
  const perHour = node.price?.perHour ?? 0;
  const amounts = nodeAmounts(node);
  const requests = groups.map((group) => times(pricedAmounts(amountsOf(group.requests), node.capacity), group.pods));
  const value = mapPriced((resource) => WEIGHTS[resource] * amounts.capacity[resource]);
  const whole = PRICED.reduce((sum, resource) => sum + value[resource], 0);
  if (whole === 0) return byPods(perHour, groups);
  const usd = {} as Record<keyof typeof value, Record<Purpose, number>>;
  for (const resource of PRICED) {
    const own = requests.reduce((sum, request) => sum + request[resource], 0);
    const used = own + amounts.daemonSets[resource] + amounts.system[resource];
    // A node of the cluster can have more requests than capacity.
    const size = Math.max(amounts.capacity[resource], used);
    const price = size === 0 ? 0 : (perHour * value[resource]) / whole / size;
    usd[resource] = {
      own: own * price,
      daemonSets: amounts.daemonSets[resource] * price,
      system: amounts.system[resource] * price,
      idle: (size - used) * price,
    };
  }
  if (groups.length === 0)
    return [{ requests: NONE, parts: partsOf((purpose) => mapPriced((resource) => usd[resource][purpose])) }];
  const shares = sharesOf(
    requests,
    groups,
    mapPriced((resource) => usd[resource].own),
  );
  return groups.map((pods, index) => ({
    pods,
    requests: requests[index],
    parts: partsOf((purpose) => mapPriced((resource) => usd[resource][purpose] * shares[index][resource])),
  }));
}

/** The share of each group in each resource. The shares of a resource add up to 1. */
function sharesOf(
  requests: readonly PricedAmounts[],
  groups: readonly PodsOfWorkload[],
  own: PricedAmounts,
): PricedAmounts[] {
  const sums = mapPriced((resource) => requests.reduce((sum, request) => sum + request[resource], 0));
  const paid = PRICED.reduce((sum, resource) => sum + own[resource], 0);
  const pods = groups.reduce((sum, group) => sum + group.pods, 0);
  const shareOf = (index: number, resource: keyof PricedAmounts) => requests[index][resource] / sums[resource];
  return groups.map((group, index) => {
    const ofAll =
      paid === 0
        ? group.pods / pods
        : PRICED.reduce(
            (sum, resource) => sum + (sums[resource] > 0 ? own[resource] * shareOf(index, resource) : 0),
            0,
          ) / paid;
    return mapPriced((resource) => (sums[resource] > 0 ? shareOf(index, resource) : ofAll));
  });
}

/** For a node whose capacity is not known. */
function byPods(perHour: number, groups: readonly PodsOfWorkload[]): PaidByPods[] {
  const pods = groups.reduce((sum, group) => sum + group.pods, 0);
  const idle = (share: number) => partsOf((purpose) => (purpose === 'idle' ? { ...NONE, cpu: perHour * share } : NONE));
  return groups.length === 0
    ? [{ requests: NONE, parts: idle(1) }]
    : groups.map((group) => ({ pods: group, requests: NONE, parts: idle(group.pods / pods) }));
}

function partsOf(part: (purpose: Purpose) => PricedAmounts): PriceParts {
  return { own: part('own'), daemonSets: part('daemonSets'), system: part('system'), idle: part('idle') };
}

function times(amounts: PricedAmounts, count: number): PricedAmounts {
  return mapPriced((resource) => amounts[resource] * count);
}
