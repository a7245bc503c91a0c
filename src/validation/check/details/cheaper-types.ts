import { InstanceTypeTable } from '../../../catalog';
import { Offer, PlannedNodeClaim, templateOf } from '../../../scheduling';
import { shortages } from '../../instance-types/node-fit';
import { RuleContext } from '../../rules';
import { CheaperTypes } from '../../vocabulary/node-verdict';

/** The instance types of the NodePool that cost less than the launched one, and what they lack for the node's pods. */
export function cheaperTypeLacks(
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
    const type = table.names.indexOf(instanceType);
    const perHour = prices(type);
    if (usable.has(instanceType) || !(perHour < offer.usdPerHour)) continue;
    count++;
    const lacks = shortages(table, type, requests).map(({ resource }) => resource);
    for (const resource of lacks) lack[resource] = (lack[resource] ?? 0) + 1;
    if (nearest === undefined || perHour > nearest.perHour) nearest = { instanceType, perHour, lacks };
  }
  return nearest === undefined ? null : { count, lack, nearest };
}

/** The price of a type in the zone and with the capacity type of the offer; NaN if it is not sold there. */
function pricesOf({ offerings }: InstanceTypeTable, { zone, capacityType }: Offer): (type: number) => number {
  const plane = offerings.find((candidate) => candidate.zone === zone && candidate.capacityType === capacityType);
  return (type) => plane?.usdPerHour[type] ?? NaN;
}
