import { isGateEnabled } from '../../../contract';
import { RuleContext } from '../../rules';
import { OpenReservations } from '../../vocabulary/verdict';
import { PlanCost } from '../cost';

const MILLIONTHS = 1e6;

/**
 * The nodes of the plan that EC2 runs in open capacity reservations, which are paid for with and without them. EC2 does
 * so for each instance that matches, unless the launch opts out, as Karpenter does with the feature gate
 * ReservedCapacity. Undefined if there are none, or if a price is unknown.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html
 */
export function nodesInOpenReservations({
  model,
  options,
  plan,
  input,
  catalog,
}: RuleContext): OpenReservations | undefined {
  if (isGateEnabled(options.featureGates, 'ReservedCapacity')) return undefined;
  const cost = new PlanCost({ input, catalog, plan });
  const offers = plan.nodeClaims.flatMap(({ nodePool, launch }) =>
    launch?.cheapest.capacityType === 'on-demand' && !cost.isWindows(nodePool)
      ? [{ nodePool, offer: launch.cheapest }]
      : [],
  );
  let usd = 0;
  const used = (model.cluster?.openReservations ?? []).flatMap(({ id, instanceType, zone, free }) => {
    const matching = offers.filter(({ offer }) => offer.instanceType === instanceType && offer.zone === zone);
    const held = matching.slice(0, free);
    for (const node of held) {
      offers.splice(offers.indexOf(node), 1);
      usd += cost.billOf(node.nodePool, node.offer).pricePerHour ?? NaN;
    }
    return held.length === 0 ? [] : [{ id, instanceType, zone, nodes: held.length }];
  });
  if (used.length === 0 || Number.isNaN(usd)) return undefined;
  return { usdPerHour: Math.round(usd * MILLIONTHS) / MILLIONTHS, reservations: used };
}
