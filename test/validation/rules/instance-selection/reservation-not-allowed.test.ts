import { reservationNotAllowed } from '../../../../src/validation/rules/instance-selection/reservation-not-allowed';
import { judge, nodeClass, nodePool, oneOf } from '../judge';

const rule = reservationNotAllowed;
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CLASS = nodeClass('default', { capacityReservationSelectorTerms: [{ tags: { team: 'web' } }] });
const poolOf = (...values: string[]) => nodePool('core', { requirements: [oneOf(CAPACITY_TYPE, ...values)] });

describe('KARP-259 reservation-not-allowed', () => {
  test('reports a NodePool that excludes the reservations of its class', () => {
    expect(judge(rule, [CLASS, poolOf('on-demand')]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'requirements', 0, 'values'],
        remedy: 'add reserved to the values of karpenter.sh/capacity-type',
        evidence: { nodeClass: 'default' },
        fix: { edits: [{ operation: 'append', value: 'reserved' }] },
      },
    ]);
  });

  test.each([[[CLASS, poolOf('reserved', 'on-demand')]], [[CLASS, nodePool('core')]]])(
    'passes NodePools that allow reserved capacity',
    (documents) => {
      expect(judge(rule, documents).states).toEqual(['pass NodePool/core']);
    },
  );

  test('passes if another NodePool of the class allows reserved capacity', () => {
    const other = nodePool('reserved', { requirements: [oneOf(CAPACITY_TYPE, 'reserved')] });
    expect(judge(rule, [CLASS, poolOf('spot'), other]).findings).toEqual([]);
  });

  test('does not apply to a class without reservations, or without the feature gate', () => {
    expect(judge(rule, [nodeClass(), poolOf('on-demand')]).outcomes).toEqual([]);
    expect(judge(rule, [CLASS, poolOf('on-demand')], { featureGates: { ReservedCapacity: false } }).outcomes).toEqual(
      [],
    );
  });
});
