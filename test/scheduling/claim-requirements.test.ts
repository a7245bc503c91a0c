import { ofTypes, planOf, pods, pool } from './builders';
import { RequirementSpec } from '../../src/model';

/** What is left of a label to the claim of one pod, as Karpenter prints it. */
function left(key: string, ofPool: readonly RequirementSpec[], ofPod: readonly RequirementSpec[]): string | undefined {
  const web = pods('web', 1, { cpu: '100m' }, { requiredNodeAffinity: [{ matchExpressions: ofPod }] });
  const [claim] = planOf({ pools: [pool([ofTypes('m5.large'), ...ofPool])], pods: [web] }).nodeClaims;
  return claim.requirements.find((requirement) => requirement.key === key)?.toString();
}

const share = (operator: RequirementSpec['operator'], ...values: string[]): RequirementSpec => ({ key: 'share', operator, values });

test.each<[string, RequirementSpec[], RequirementSpec[], string | undefined]>([
  ['the values that pool and pod both allow', [share('In', 'a', 'b', 'c')], [share('In', 'c', 'b', 'd')], 'share In [b c]'],
  ['those that either excludes', [share('NotIn', 'a')], [share('NotIn', 'b')], 'share NotIn [a b]'],
  ['the bounds of both', [share('Gt', '3')], [share('Lt', '10')], 'share Exists >=4 <=9'],
  ['any value', [share('Exists')], [share('Exists')], 'share Exists'],
  ['none, where the label must not be there', [], [share('DoesNotExist')], 'share DoesNotExist'],
  ['nothing, where neither names it', [], [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }], undefined],
])('of a label that is not well known a claim is left %s', (_, ofPool, ofPod, expected) => {
  expect(left('share', ofPool, ofPod)).toBe(expected);
});

test('of a well-known label it is told which values are excluded', () => {
  const zones = (operator: RequirementSpec['operator']): RequirementSpec => ({ key: 'topology.kubernetes.io/zone', operator, values: ['us-east-1a'] });
  expect(left('topology.kubernetes.io/zone', [], [zones('NotIn')])).toBe('topology.kubernetes.io/zone NotIn [us-east-1a]');
  expect(left('topology.kubernetes.io/zone', [], [zones('In')])).toBeUndefined();
});
