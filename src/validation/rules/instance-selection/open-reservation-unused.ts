import { appendItem, FieldEdit, isGateEnabled, unsafeFix } from '../../../contract';
import { countText, hourlyPriceText, Label, Requirements } from '../../../model';
import { DescribedReservation, NodeClassManifest, NodePoolManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { selectsResource } from '../../template';
import { classesInUse } from '../common/class-use';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

/**
 * With the feature gate ReservedCapacity, Karpenter launches with the capacity reservation preference `none`.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/types.go
 */
export const openReservationUnused = defineRule({
  id: 'KARP-257',
  name: 'open-reservation-unused',
  severity: 'warning',
  summary: 'The plan pays for instances beside an open capacity reservation that no node class selects.',
  subjects: subjectsFrom<NodeClassManifest>(({ model }) => classesInUse(model), {
    where: (_, { model, options }) =>
      (model.cluster?.openReservations ?? []).length > 0 && isGateEnabled(options.featureGates, 'ReservedCapacity'),
  }),
  judge: (nodeClass, context) =>
    context.model.cluster!.openReservations.flatMap((reservation) => finding(context, nodeClass, reservation) ?? []),
});

/** The edit of the class, with those of its NodePools. None if a NodePool does not list its capacity types. */
function editsOf(ofClass: FieldEdit, closed: readonly NodePoolManifest[]): Pick<SubjectFinding, 'fix' | 'also'> {
  const also = closed.map(({ object }) => {
    const path = ['spec', 'template', 'spec', 'requirements'];
    const index = recordsOf(object.raw.spec?.template?.spec?.requirements).findIndex(
      ({ key, operator }) => key === Label.CAPACITY_TYPE && operator === 'In',
    );
    return index < 0 ? undefined : { object, fix: unsafeFix(appendItem([...path, index, 'values'], 'reserved')) };
  });
  return also.includes(undefined) ? {} : { fix: unsafeFix(ofClass), also: also.flatMap((edit) => edit ?? []) };
}

function finding(
  { model, plan, catalog }: RuleContext,
  { object }: NodeClassManifest,
  { id, instanceType, zone, free, tags, owner }: DescribedReservation,
): SubjectFinding | undefined {
  const terms = [...model.nodeClasses, ...(model.cluster?.nodeClasses ?? [])].flatMap(({ object: { raw } }) =>
    recordsOf(raw?.spec?.capacityReservationSelectorTerms),
  );
  const isSelected = terms.some(
    (term) =>
      (term.ownerID === undefined || term.ownerID === owner) && selectsResource(term, { name: id, tags }) !== 'no',
  );
  if (isSelected) return undefined;
  const pools = model.nodePools.filter(({ spec }) => spec?.nodeClass === object.name);
  const claims = plan.nodeClaims.filter(
    ({ nodePool, launch }) =>
      pools.some((pool) => pool.object.name === nodePool) &&
      launch?.capacityType === 'on-demand' &&
      launch.instanceTypes[0] === instanceType &&
      launch.zones.includes(zone),
  );
  if (claims.length === 0) return undefined;
  const nodes = Math.min(claims.length, free);
  const price = claims.slice(0, nodes).reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0);
  const closed = pools.filter(
    ({ object: { name }, spec }) =>
      claims.some(({ nodePool }) => nodePool === name) &&
      !Requirements.from(spec!.requirements).get(Label.CAPACITY_TYPE).has('reserved'),
  );
  const alsoAllow = closed.map(
    (pool) => `, and allow reserved in ${Label.CAPACITY_TYPE} of NodePool ${pool.object.name}`,
  );
  const path = ['spec', 'capacityReservationSelectorTerms'];
  return {
    path,
    message: `does not select the open capacity reservation ${id}, which has ${countText(free, 'unused instance')} of ${instanceType} in ${zone}: the plan launches ${countText(claims.length, 'such node')} on demand beside it${catalog.unknownPrices === undefined ? `, so ${hourlyPriceText(price, catalog.currency)} is paid twice` : ''}, because Karpenter uses no reservation that it does not select`,
    remedy: `add id: ${id} to capacityReservationSelectorTerms${alsoAllow.join('')}; or turn the feature gate ReservedCapacity off`,
    evidence: { reservation: id, instanceType, zone, free, nodes: claims.length },
    ...editsOf(appendItem(path, { id }), closed),
  };
}
