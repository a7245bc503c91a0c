import { appendItem, isGateEnabled, unsafeFix } from '../../../contract';
import { Label, normalizeLabelKey } from '../../../model';
import { ManifestModel } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { Pool } from '../common/pool';
import { defineRule } from '../define-rule';
import { pools } from '../subjects';

const RESERVED = 'reserved';

/** @see https://karpenter.sh/docs/tasks/odcrs/ */
export const reservationNotAllowed = defineRule({
  id: 'KARP-259',
  name: 'reservation-not-allowed',
  severity: 'warning',
  summary: 'A node class selects capacity reservations, but none of its NodePools allows reserved capacity.',
  subjects: pools({
    where: (pool, { model, options }) =>
      isGateEnabled(options.featureGates, 'ReservedCapacity') &&
      pool.spec !== undefined &&
      selectsReservations(model, pool.spec.nodeClass),
    unknown: ({ spec, why }) => (spec === undefined ? why : undefined),
  }),
  judge(pool, { model }) {
    const ofClass = model.nodePools.filter(({ spec }) => spec?.nodeClass === pool.spec!.nodeClass);
    const isUnknown = model.nodePools.some(({ spec }) => spec === undefined);
    if (isUnknown || ofClass.some(({ spec }) => allowsReserved(spec!.requirements))) return undefined;
    const index = indexOfCapacityType(pool);
    const path = ['spec', 'template', 'spec', 'requirements', index, 'values'];
    return {
      path,
      message: `does not allow capacity type reserved, but EC2NodeClass ${pool.spec!.nodeClass} selects capacity reservations: they stay idle, and are paid beside the nodes`,
      remedy: 'add reserved to the values of karpenter.sh/capacity-type',
      evidence: { nodeClass: pool.spec!.nodeClass },
      fix: index < 0 ? undefined : unsafeFix(appendItem(path, RESERVED)),
    };
  },
});

function selectsReservations({ nodeClasses }: ManifestModel, name: string): boolean {
  return nodeClasses.some(
    ({ object }) => object.name === name && recordsOf(object.raw.spec?.capacityReservationSelectorTerms).length > 0,
  );
}

function allowsReserved(requirements: NonNullable<Pool['spec']>['requirements']): boolean {
  return requirements
    .filter(({ key }) => normalizeLabelKey(key) === Label.CAPACITY_TYPE)
    .every(({ operator, values = [] }) =>
      operator === 'In' ? values.includes(RESERVED) : operator !== 'NotIn' || !values.includes(RESERVED),
    );
}

function indexOfCapacityType({ object }: Pool): number {
  return recordsOf((object.raw as any)?.spec?.template?.spec?.requirements).findIndex(
    ({ key, operator }) => key === Label.CAPACITY_TYPE && operator === 'In',
  );
}
