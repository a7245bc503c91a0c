import { CLASS_REF, judge, manifest, nodeClass, nodePool } from './helper';
import { NodeClassRefIncompleteOrDangling } from '../../../src/validation/rules/nodeclassref-incomplete-or-dangling';

const rule = new NodeClassRefIncompleteOrDangling();

describe('KARP-103 nodeclassref-incomplete-or-dangling', () => {
  test.each([
    ['lacks its group', { kind: 'EC2NodeClass', name: 'default' }, 'without group'],
    ['lacks group and kind', { name: 'default' }, 'without group and kind'],
    ['is in the form of v1beta1', { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'default' }, 'which is the form of v1beta1'],
    ['has apiVersion beside the rest', { ...CLASS_REF, apiVersion: 'karpenter.k8s.aws/v1' }, 'apiVersion, a field that v1 does not have'],
    ['is of another group', { ...CLASS_REF, group: 'karpenter.azure.com', kind: 'AKSNodeClass' }, 'AKSNodeClass of group karpenter.azure.com'],
    ['has a version in its group', { ...CLASS_REF, group: 'karpenter.k8s.aws/v1' }, 'of group karpenter.k8s.aws/v1, and a group has no version: the API server rejects the NodePool'],
    ['is of another kind', { ...CLASS_REF, kind: 'AWSNodeTemplate' }, 'AWSNodeTemplate of group karpenter.k8s.aws'],
  ])('fails when the reference %s', (_, nodeClassRef, message) => {
    const { states, findings } = judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(message);
  });

  test('fails when there is no reference at all', () => {
    const pool = manifest('karpenter.sh/v1', 'NodePool', 'default', { template: { spec: { requirements: [] } } });
    expect(judge(rule, [pool, nodeClass()]).findings[0].message).toContain('has no nodeClassRef');
  });

  test('fails when the class is not among the classes of the input, and names those', () => {
    const { findings } = judge(rule, [nodePool('generic'), nodeClass('gpu'), nodeClass('arm')]);
    expect(findings[0].message).toContain('EC2NodeClass default, which is not in the input (known: arm and gpu)');
    expect(findings[0].evidence).toEqual({ nodeClass: 'default', known: ['arm', 'gpu'] });
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.nodeClassRef.name');
  });

  test('passes when the class is there', () => {
    expect(judge(rule, [nodePool('default'), nodeClass()]).states).toEqual(['pass NodePool/default']);
  });

  test('leaves a class in an old API version to the rule on API versions', () => {
    const beta = manifest('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', 'default', {});
    expect(judge(rule, [nodePool('default'), beta]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated when the input holds no class: it may be defined elsewhere', () => {
    const { states, whys } = judge(rule, [nodePool('default')]);
    expect(states).toEqual(['not-evaluated NodePool/default']);
    expect(whys[0]).toContain('defined elsewhere');
  });

  test('is not evaluated for a class of EKS Auto Mode', () => {
    const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
    expect(judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('is not evaluated when the name is known only at deployment', () => {
    const nodeClassRef = { ...CLASS_REF, name: '${Token[TOKEN.12]}' };
    expect(judge(rule, [nodePool('default', { nodeClassRef }), nodeClass()]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });
});
