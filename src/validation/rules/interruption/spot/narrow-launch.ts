import { SpotChoice } from './spot-choice';
import { countText, shortListText } from '../../../../model';
import { PlannedNodeClaim } from '../../../../scheduling';
import { Pool } from '../../common/pool';
import { RuleContext, RuleFinding } from '../../rule';

/** With fewer types, EC2 may have none of them. */
const FEWEST_TYPES = 5;

/**
 * Karpenter asks EC2 only for spot types that cost less than the cheapest on-demand type. A NodeOverlay that lowers one
 * on-demand price, such as for a savings plan, leaves few of them, although the NodePool allows many.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/filter/filter.go
 * SpotOfferingFilter
 */
export function narrowLaunch(
  { plan, model }: RuleContext,
  { name, object }: Pool,
  { instanceTypes }: SpotChoice,
): RuleFinding | undefined {
  const allowed = new Set(instanceTypes);
  const narrow = plan.nodeClaims.filter((claim) => claim.nodePool === name && isNarrow(claim, allowed));
  const [claim] = narrow;
  const overlays = model.nodeOverlays.map((overlay) => overlay.object.name).sort();
  if (claim === undefined || overlays.length === 0) return undefined;
  const { instanceTypes: launched } = claim.launch!;
  const held = claim.instanceTypes.filter((type) => allowed.has(type)).length;
  return {
    object,
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `the launch of ${countText(narrow.length, 'planned node')} asks EC2 for only ${countText(launched.length, 'instance type')} on spot (${shortListText(launched, 3)}), although ${held} could hold ${narrow.length === 1 ? 'its' : 'their'} pods: ` +
      `with the prices of NodeOverlay ${shortListText(overlays, 3)}, the others cost more than the cheapest on-demand type, and Karpenter leaves them out`,
    remedy:
      'give the on-demand price of the overlay to a NodePool of its own, with a higher weight, or lower the spot prices by the same overlay',
    evidence: { launchedTypes: launched, typesOfPods: held, nodes: narrow.length, overlays },
    severity: 'warning',
  };
}

function isNarrow({ launch, instanceTypes }: PlannedNodeClaim, allowed: ReadonlySet<string>): boolean {
  return (
    launch?.capacityType === 'spot' &&
    launch.instanceTypes.length < FEWEST_TYPES &&
    instanceTypes.filter((type) => allowed.has(type)).length >= 3 * FEWEST_TYPES
  );
}
