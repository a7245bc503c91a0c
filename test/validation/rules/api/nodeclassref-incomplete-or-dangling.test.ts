import { nodeClassRefIncompleteOrDangling } from '../../../../src/validation/rules/api/nodeclassref-incomplete-or-dangling';
import { CLASS_REF, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = nodeClassRefIncompleteOrDangling;

describe('KARP-103 nodeclassref-incomplete-or-dangling', () => {
  test.each([
    ['has no group', { kind: 'EC2NodeClass', name: 'default' }, 'without group'],
    ['has neither group nor kind', { name: 'default' }, 'without group and kind'],
    [
      'has the form of v1beta1',
      { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'default' },
      'but with apiVersion, the form of v1beta1',
    ],
    [
      'has an extra apiVersion',
      { ...CLASS_REF, apiVersion: 'karpenter.k8s.aws/v1' },
      'apiVersion, a field that v1 does not have',
    ],
    [
      'has another group',
      { ...CLASS_REF, group: 'karpenter.azure.com', kind: 'AKSNodeClass' },
      'AKSNodeClass of group karpenter.azure.com',
    ],
    [
      'has a version in its group',
      { ...CLASS_REF, group: 'karpenter.k8s.aws/v1' },
      'nodeClassRef.group is karpenter.k8s.aws/v1, but a group has no version: the API server rejects the NodePool',
    ],
    ['has another kind', { ...CLASS_REF, kind: 'AWSNodeTemplate' }, 'AWSNodeTemplate of group karpenter.k8s.aws'],
  ])('reports a reference that %s', (_, nodeClassRef, message) => {
    const { states, findings } = judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(message);
  });

  test('reports a missing reference', () => {
    const pool = manifest('karpenter.sh/v1', 'NodePool', 'default', { template: { spec: { requirements: [] } } });
    expect(judge(rule, [pool, nodeClass()]).findings[0].message).toContain('has no nodeClassRef');
  });

  test('reports a class that is not in the input, and names the classes of the input', () => {
    const { findings } = judge(rule, [nodePool('generic'), nodeClass('gpu'), nodeClass('arm')]);
    expect(findings[0].message).toContain('EC2NodeClass default, which is not in the input (it has arm and gpu)');
    expect(findings[0].evidence).toEqual({ nodeClass: 'default', known: ['arm', 'gpu'] });
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.nodeClassRef.name');
  });

  test('passes a class in the input', () => {
    expect(judge(rule, [nodePool('default'), nodeClass()]).states).toEqual(['pass NodePool/default']);
  });

  test('passes a class with an old API version, which KARP-101 reports', () => {
    const beta = manifest('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', 'default', {});
    expect(judge(rule, [nodePool('default'), beta]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the input contains no class', () => {
    const { states, whys } = judge(rule, [nodePool('default')]);
    expect(states).toEqual(['not-evaluated NodePool/default']);
    expect(whys[0]).toContain('defined elsewhere');
  });

  test('is not evaluated for a class of EKS Auto Mode', () => {
    const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
    expect(judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });

  test('is not evaluated if the name is known only at deployment', () => {
    const nodeClassRef = { ...CLASS_REF, name: '${Token[TOKEN.12]}' };
    expect(judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });
});
