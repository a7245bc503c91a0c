import { customAmiNeverJoins } from '../../../../../src/validation/rules/api/user-data/custom-ami-never-joins';
import { judge, nodeClass } from '../../judge';

const rule = customAmiNeverJoins;
const BOTTLEROCKET = { name: 'bottlerocket-aws-k8s-1.33-x86_64-v1.45*', owner: 'amazon' };
const classWith = (term: object, userData?: string, amiFamily = 'Custom') =>
  nodeClass('default', { amiFamily, amiSelectorTerms: [term], userData });
const OWN = { id: 'ami-0123456789abcdef0' };

describe('KARP-151 custom-ami-never-joins', () => {
  test.each([
    [BOTTLEROCKET.name, 'Bottlerocket'],
    ['amazon-eks-node-al2023-x86_64-standard-1.33-*', 'AL2023'],
    ['amazon-eks-node-1.32-*', 'AL2'],
    ['amazon-eks-gpu-node-1.32-*', 'AL2'],
    ['Windows_Server-2022-English-Core-EKS_Optimized-1.33-*', 'Windows2022'],
  ])('reports %s without user data, and names its family', (name, family) => {
    const { findings } = judge(rule, [classWith({ name, owner: 'amazon' })]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'amiFamily'],
        remedy: `write amiFamily: ${family}, so that Karpenter writes the user data`,
        fix: { edits: [{ operation: 'set', path: ['spec', 'amiFamily'], value: family }] },
      },
    ]);
    expect(judge(rule, [classWith({ name, owner: 'amazon' }, undefined, family)]).outcomes).toEqual([]);
  });

  test('only warns about AMIs that may know the cluster', () => {
    const { findings } = judge(rule, [classWith(OWN)]);
    expect(findings).toMatchObject([{ severity: 'warning' }]);
    expect(findings[0].message).toContain('join only if the AMI itself knows the cluster');
  });

  test.each([
    '#!/bin/bash\n/etc/eks/bootstrap.sh orchard\n',
    'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n',
    '[settings.kubernetes]\ncluster-name = "orchard"\n',
  ])('only warns about user data that joins without the taint of new nodes, which still register: %j', (userData) => {
    const { findings } = judge(rule, [classWith(OWN, userData)]);
    expect(findings).toMatchObject([{ path: ['spec', 'userData'], severity: 'warning' }]);
    expect(findings[0].message).toContain('karpenter.sh/unregistered:NoExecute: pods can start on a node before');
  });

  test('passes user data with the taint, and user data that loads its commands', () => {
    const join =
      '#!/bin/bash\n/etc/eks/bootstrap.sh a --kubelet-extra-args --register-with-taints=karpenter.sh/unregistered=:NoExecute\n';
    for (const userData of [join, '#!/bin/bash\naws s3 cp s3://bucket/join.sh . && ./join.sh\n'])
      expect(judge(rule, [classWith(OWN, userData)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not evaluate user data with placeholders, which may have the taint', () => {
    const { whys } = judge(rule, [classWith(OWN, '#!/bin/bash\n/etc/eks/bootstrap.sh a ${ARGS}\n')]);
    expect(whys).toHaveLength(1);
  });

  test('does not apply to other families', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });
});
