import { RequirementSpec } from '../../../src/model';
import { ofTypes, planOf, pods, pool } from '../builders';

/** The claim's requirement on a label for one pod, in Karpenter's format. */
function requirementOf(
  key: string,
  ofPool: readonly RequirementSpec[],
  ofPod: readonly RequirementSpec[],
): string | undefined {
  const web = pods('web', 1, { cpu: '100m' }, { requiredNodeAffinity: [{ matchExpressions: ofPod }] });
  const [claim] = planOf({ pools: [pool([ofTypes('m5.large'), ...ofPool])], pods: [web] }).nodeClaims;
  return claim.requirements.find((requirement) => requirement.key === key)?.toString();
}

const share = (operator: RequirementSpec['operator'], ...values: string[]): RequirementSpec => ({
  key: 'share',
  operator,
  values,
});

test.each<[string, RequirementSpec[], RequirementSpec[], string | undefined]>([
  [
    'the values that pool and pod both allow',
    [share('In', 'a', 'b', 'c')],
    [share('In', 'c', 'b', 'd')],
    'share In [b c]',
  ],
  ['the values that pool or pod excludes', [share('NotIn', 'a')], [share('NotIn', 'b')], 'share NotIn [a b]'],
  ['the bounds of both', [share('Gt', '3')], [share('Lt', '10')], 'share Exists >=4 <=9'],
  ['no bound if any value is allowed', [share('Exists')], [share('Exists')], 'share Exists'],
  ['an absent label', [], [share('DoesNotExist')], 'share DoesNotExist'],
  [
    'nothing if neither pool nor pod has the label',
    [],
    [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
    undefined,
  ],
])('requirements of a claim on a custom label: %s', (_, ofPool, ofPod, expected) => {
  expect(requirementOf('share', ofPool, ofPod)).toBe(expected);
});

test('requirements of a claim on a well-known label list only excluded values', () => {
  const zones = (operator: RequirementSpec['operator']): RequirementSpec => ({
    key: 'topology.kubernetes.io/zone',
    operator,
    values: ['us-east-1a'],
  });
  expect(requirementOf('topology.kubernetes.io/zone', [], [zones('NotIn')])).toBe(
    'topology.kubernetes.io/zone NotIn [us-east-1a]',
  );
  expect(requirementOf('topology.kubernetes.io/zone', [], [zones('In')])).toBeUndefined();
});
