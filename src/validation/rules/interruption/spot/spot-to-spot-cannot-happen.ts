import { launchesOnlySpot } from './on-demand-fallback';
import { spotChoiceOf } from './spot-choice';
import { isGateEnabled } from '../../../../contract';
import { SPOT_TO_SPOT_TYPES } from '../../../../disruption';
import { countText } from '../../../../model';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { Pool } from '../../common/pool';
import { defineRule, Judgement, NOT_APPLICABLE } from '../../define-rule';
import { launchingPools } from '../../subjects';

/**
 * The number of types limits only the replacement of one spot node by another. Karpenter may still replace several spot
 * nodes by one, and delete a node whose pods fit on other nodes.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/consolidation.go
 */
export const spotToSpotCannotHappen = defineRule({
  id: 'KARP-512',
  name: 'spot-to-spot-cannot-happen',
  severity: 'warning',
  summary:
    'Consolidation never replaces a spot node by a cheaper one, because the NodePool has too few instance types or the feature gate is off.',
  subjects: launchingPools({
    unknown: (pool, context) =>
      disruptionsByName(context).has(pool.name) ? undefined : 'how its nodes are disrupted is known only at deployment',
  }),
  judge(pool, context) {
    if (!replacesNodes(disruptionsByName(context).get(pool.name)!)) return NOT_APPLICABLE;
    return isGateEnabled(context.options.featureGates, 'SpotToSpotConsolidation') ? judgeTypes(pool) : judgeGate(pool);
  },
});

function judgeTypes(pool: Pool): Judgement {
  const types = spotChoiceOf(pool).instanceTypes.length;
  if (types === 0) return NOT_APPLICABLE;
  // The node's own type is one of the allowed types, and is not cheaper than itself.
  if (types > SPOT_TO_SPOT_TYPES) return undefined;
  return {
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `allows ${countText(types, 'instance type')} on spot, so at most ${types - 1} are cheaper than a node's own: Karpenter needs ${SPOT_TO_SPOT_TYPES} to replace ` +
      `a spot node, and reports "requires ${SPOT_TO_SPOT_TYPES} cheaper instance type options than the current candidate to consolidate, got ${types - 1}"`,
    remedy: `allow more than ${SPOT_TO_SPOT_TYPES} instance types, ideally twice as many; or turn feature gate SpotToSpotConsolidation off, so that Karpenter only deletes spot nodes`,
    evidence: { instanceTypes: types, cheaperAtMost: types - 1, needed: SPOT_TO_SPOT_TYPES },
  };
}

function judgeGate(pool: Pool): Judgement {
  if (!launchesOnlySpot(pool)) return NOT_APPLICABLE;
  return {
    path: ['spec', 'disruption'],
    message:
      'launches only spot, but feature gate SpotToSpotConsolidation is off: consolidation deletes nodes whose pods fit elsewhere, and never replaces one by a cheaper node',
    remedy: 'keep it if that is intended, or write settings.featureGates.spotToSpotConsolidation: true',
    evidence: { featureGate: 'SpotToSpotConsolidation' },
    severity: 'info',
  };
}

function replacesNodes({ consolidationPolicy, consolidateAfter }: ManifestDisruption): boolean {
  return consolidationPolicy !== 'WhenEmpty' && consolidateAfter !== undefined;
}
