import { deployment, judge, nodeClass, nodePool, oneOf, types } from './helper';
import { NodePoolMatchesZeroInstanceTypes } from '../../../src/validation/rules/nodepool-matches-zero-instance-types';

const rule = new NodePoolMatchesZeroInstanceTypes();
const ARCH = 'kubernetes.io/arch';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const inZone = (zone: string) => nodePool('far', { requirements: [oneOf('topology.kubernetes.io/zone', zone)] });

describe('KARP-201 nodepool-matches-zero-instance-types', () => {
  test('fails when the requirements leave no type, and shows what emptied the set', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('gpu', { requirements: [oneOf(ARCH, 'arm64'), oneOf(FAMILY, 'p5')] })]);
    expect(states).toEqual(['fail NodePool/gpu']);
    expect(findings[0].message).toMatch(/^matches 0 of \d+ instance types \(kubernetes.io\/arch In \[arm64\] leaves \d+, .* leaves 0\)/);
    expect(findings[0].object.locate(findings[0].path).path).toMatch(/^spec\.template\.spec\.requirements\[[01]\]$/);
  });

  test('fails for fewer values of a label than minValues wants, and says how many there are', () => {
    const requirements = [oneOf('karpenter.k8s.aws/instance-hypervisor', 'nitro'), { ...oneOf(FAMILY, 'm5', 'c5', 'c4'), minValues: 3 }];
    const { findings } = judge(rule, [nodeClass(), nodePool('varied', { requirements })]);
    expect(findings[0].message).toMatch(/ leaves \d+, minValues 3 of karpenter.k8s.aws\/instance-family, which has 2 leaves 0\): the NodePool launches nothing$/);
    expect(findings[0].remedy).toBe('write minValues: 2 at most for karpenter.k8s.aws/instance-family, or let the requirements leave types of more of its values');
    expect(findings[0].path).toEqual(['spec', 'template', 'spec', 'requirements', 1]);
    expect(judge(rule, [nodeClass(), nodePool('varied', { requirements })], { minValuesPolicy: 'BestEffort' }).states).toEqual(['pass NodePool/varied']);
  });

  test('fails for a zone outside the region that was given', () => {
    expect(judge(rule, [nodeClass(), inZone('eu-west-1a')], { region: 'us-west-2' }).states).toEqual(['fail NodePool/far']);
  });

  test('fails for a zone that is none of those that were given', () => {
    expect(judge(rule, [nodeClass(), inZone('us-west-2d')], { region: 'us-west-2', zones: ['us-west-2a'] }).states).toEqual(['fail NodePool/far']);
  });

  test('is not evaluated for zones outside a region, or beside zones, that are only supposed', () => {
    expect(judge(rule, [nodeClass(), inZone('eu-west-1a')]).states).toEqual(['not-evaluated NodePool/far']);
    expect(judge(rule, [nodeClass(), inZone('us-west-2d')], { region: 'us-west-2' }).states).toEqual(['not-evaluated NodePool/far']);
  });

  test('fails for a type that does not exist', () => {
    expect(judge(rule, [nodeClass(), nodePool('typo', { requirements: [types('c7i.2xlrage')] })]).states).toEqual(['fail NodePool/typo']);
  });

  test('fails for types that are not to be had, and says why that can be', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('dear', { requirements: [types('p5e.48xlarge')] })]);
    expect(findings[0].remedy).toBe('allow other instance types, zones or capacity types: those that are left have no price there, or the EC2NodeClass does not run on them');
  });

  test('passes when a type is left', () => {
    expect(judge(rule, [nodeClass(), nodePool('one', { requirements: [types('m5.large')] })]).states).toEqual(['pass NodePool/one']);
  });

  test('is not evaluated when the node class is not in the input', () => {
    const { states, whys } = judge(rule, [nodePool('default')]);
    expect(states).toEqual(['not-evaluated NodePool/default']);
    expect(whys[0]).toContain('EC2NodeClass default is not in the input');
  });

  test('is not evaluated when a value is known only at deployment', () => {
    const requirements = [oneOf('topology.kubernetes.io/zone', '${Token[TOKEN.9]}')];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [nodeClass(), deployment('web')]).outcomes).toEqual([]);
  });
});
