import { amiWithoutDriver } from '../../../../../src/validation/rules/instance-selection/devices/ami-without-driver';
import { deployment, judge, nodeClass, nodePool, types } from '../../judge';

const rule = amiWithoutDriver;

function judged(name: string, resource = 'nvidia.com/gpu', fields: object = {}) {
  const type = resource === 'nvidia.com/gpu' ? 'g5.xlarge' : 'inf2.xlarge';
  const resources = { requests: { cpu: '1', memory: '1Gi', [resource]: '1' }, limits: { [resource]: '1' } };
  const amiFamily = name.startsWith('bottlerocket') ? 'Bottlerocket' : 'AL2023';
  const documents = [
    nodeClass('default', { amiFamily, amiSelectorTerms: [{ name, owner: 'amazon' }], ...fields }),
    nodePool('devices', { requirements: [types(type)] }),
    deployment('infer', { containers: [{ name: 'main', image: 'nvidia/cuda', resources }] }),
  ];
  return judge(rule, documents);
}

describe('KARP-267 ami-without-driver', () => {
  test.each([
    ['amazon-eks-node-al2023-x86_64-standard-1.33-v20250920', 'amazon-eks-node-al2023-x86_64-nvidia-1.33-v20250920'],
    ['amazon-eks-node-al2023-x86_64-neuron-1.33-*', 'amazon-eks-node-al2023-x86_64-nvidia-1.33-*'],
    ['bottlerocket-aws-k8s-1.33-x86_64-v1.43.0-*', 'bottlerocket-aws-k8s-1.33-nvidia-x86_64-v1.43.0-*'],
  ])('rejects %s for GPUs, and names the one with the driver', (name, instead) => {
    expect(judged(name).findings).toMatchObject([
      { path: ['spec', 'amiSelectorTerms', 0, 'name'], remedy: `write name: ${instead}`, fix: { safe: false } },
    ]);
  });

  test('rejects the NVIDIA variant for Neuron devices', () => {
    expect(judged('amazon-eks-node-al2023-x86_64-nvidia-1.33-*', 'aws.amazon.com/neuron').findings[0].remedy).toBe(
      'write name: amazon-eks-node-al2023-x86_64-neuron-1.33-*',
    );
  });

  test.each<[string, string, object]>([
    ['the NVIDIA variant', 'amazon-eks-node-al2023-x86_64-nvidia-1.33-*', {}],
    ['names that are not of Amazon EKS', 'our-golden-image-standard-1.33', {}],
    [
      'user data that installs the driver',
      'amazon-eks-node-al2023-x86_64-standard-1.33-*',
      { userData: '#!/bin/bash\ndnf install -y nvidia-open\n' },
    ],
  ])('passes with %s', (_, name, fields) => {
    expect(judged(name, 'nvidia.com/gpu', fields).states).toEqual(['pass EC2NodeClass/default']);
  });
});
