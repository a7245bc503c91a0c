import { appendItem, unsafeFix } from '../../../contract';
import { Label } from '../../../model';
import { Pool } from '../common/pool';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

/** @see https://github.com/aws/karpenter-provider-aws/issues/5015 */
export const capacityTypeUnsetMeansSpot = defineRule({
  id: 'KARP-204',
  name: 'capacity-type-unset-means-spot',
  severity: 'warning',
  summary: 'A NodePool sets no capacity type: since Karpenter 0.32 this allows spot, and Karpenter prefers spot.',
  subjects: pools({
    unknown: ({ requirements, why }) => (requirements === undefined ? why : undefined),
  }),
  judge(pool, context) {
    const stated = pool.requirements!.has(Label.CAPACITY_TYPE);
    const view = pool.launch?.view;
    const noSpot = view !== undefined && view.instanceTypes.length > 0 && !view.capacityTypes.includes('spot');
    return stated || noSpot ? undefined : finding(context, pool);
  },
});

function finding({ plan }: RuleContext, pool: Pool): SubjectFinding {
  const claims = plan.nodeClaims.filter(({ nodePool }) => nodePool === pool.name);
  const spot = claims.filter(({ capacityTypes }) => capacityTypes.includes('spot')).length;
  const planned = claims.length === 0 ? '' : `; ${spot} of its ${claims.length} planned nodes would be spot`;
  const path = ['spec', 'template', 'spec', 'requirements'];
  return {
    path,
    message: `no requirement on ${Label.CAPACITY_TYPE}: Karpenter may launch spot nodes, and prefers them to on-demand${planned}`,
    remedy: `add the requirement ${Label.CAPACITY_TYPE} In [on-demand], or In [spot, on-demand] if you want spot`,
    evidence: { plannedNodes: claims.length, spotNodes: spot },
    fix: unsafeFix(appendItem(path, { key: Label.CAPACITY_TYPE, operator: 'In', values: ['on-demand'] })),
  };
}
