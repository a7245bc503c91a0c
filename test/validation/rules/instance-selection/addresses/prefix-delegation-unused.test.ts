import { prefixDelegationUnused } from '../../../../../src/validation/rules/instance-selection/addresses/prefix-delegation-unused';
import { daemonSet, deployment, judge, nodeClass, nodePool, types } from '../../judge';

const rule = prefixDelegationUnused;
const POOL = nodePool('core', { requirements: [types('m7i.large')] });

function cni(value: string): string {
  const env = [{ name: 'ENABLE_PREFIX_DELEGATION', value }];
  return daemonSet('aws-node', {}, { hostNetwork: true, containers: [{ name: 'aws-node', image: 'cni', env }] });
}

function web(requests: object): string {
  return deployment('web', {}, { replicas: 60, requests });
}

const SMALL = { cpu: '10m', memory: '32Mi' };

describe('KARP-253 prefix-delegation-unused', () => {
  test('reports nodes that are full of pods although the VPC CNI delegates prefixes', () => {
    const { findings } = judge(rule, [nodeClass(), POOL, cni('true'), web(SMALL)]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'kubelet'],
        remedy: 'write kubelet.maxPods: 110, because the VPC CNI delegates prefixes',
        evidence: { nodes: 2, instanceType: 'm7i.large', pods: 29 },
        fix: { edits: [{ operation: 'set', path: ['spec', 'kubelet', 'maxPods'], value: 110 }] },
      },
    ]);
  });

  test('reports nodes of larger types than the pods need, because they are many', () => {
    const pool = nodePool('core', { requirements: [types('m7i.large', 'm7i.4xlarge')] });
    const { findings } = judge(rule, [nodeClass(), pool, cni('true'), web({ cpu: '20m', memory: '32Mi' })]);
    expect(findings).toMatchObject([
      {
        message: expect.stringContaining(
          'such as a m7i.4xlarge for 61 pods, which also fit a m7i.large, but Karpenter counts only 29 pods there',
        ),
      },
    ]);
  });

  test('passes nodes that are full of other resources', () => {
    expect(judge(rule, [nodeClass(), POOL, cni('true'), web({ cpu: '300m', memory: '256Mi' })]).states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test('does not apply with maxPods', () => {
    const dense = nodeClass('default', { kubelet: { maxPods: 110 } });
    expect(judge(rule, [dense, POOL, cni('true'), web(SMALL)]).outcomes).toEqual([]);
  });

  test('does not apply without prefix delegation', () => {
    expect(judge(rule, [nodeClass(), POOL, cni('false'), web(SMALL)]).outcomes).toEqual([]);
  });
});
