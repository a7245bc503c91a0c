import { maxPodsFillsNodes } from '../../../../../src/validation/rules/instance-selection/addresses/max-pods-fills-nodes';
import { daemonSet, deployment, judge, nodeClass, nodePool, types } from '../../judge';

const rule = maxPodsFillsNodes;
const POOL = nodePool('core', { requirements: [types('m7i.large')] });
const few = nodeClass('default', { kubelet: { maxPods: 8 } });
const web = (requests: object, replicas = 40) => deployment('web', {}, { replicas, requests });
const SMALL = { cpu: '50m', memory: '64Mi' };

describe('KARP-273 max-pods-fills-nodes', () => {
  test('reports nodes that maxPods fills, although the type has more addresses', () => {
    const { findings } = judge(rule, [few, POOL, web(SMALL)]);
    const path = ['spec', 'kubelet', 'maxPods'];
    expect(findings).toMatchObject([
      {
        path,
        message: expect.stringMatching(/^fills \d of \d planned nodes with 8 pods each.*has addresses for 29/),
        remedy: 'remove kubelet.maxPods, so that Karpenter computes it for each instance type',
        evidence: { maxPods: 8, instanceType: 'm7i.large' },
        fix: { edits: [{ operation: 'remove', path }] },
      },
    ]);
  });

  test('advises the number for prefixes if the VPC CNI delegates them', () => {
    const env = [{ name: 'ENABLE_PREFIX_DELEGATION', value: 'true' }];
    const cni = daemonSet('aws-node', {}, { hostNetwork: true, containers: [{ name: 'aws-node', image: 'cni', env }] });
    const { findings } = judge(rule, [few, POOL, cni, web(SMALL)]);
    expect(findings[0].remedy).toBe('write kubelet.maxPods: 110, because the VPC CNI delegates prefixes');
  });

  test.each([
    ['nodes that are full of other resources', few, web({ cpu: '300m', memory: '256Mi' })],
    ['one full node', few, web(SMALL, 4)],
    ['a number that leaves room', nodeClass('default', { kubelet: { maxPods: 29 } }), web(SMALL)],
  ])('passes %s', (_, nodes, workload) => {
    expect(judge(rule, [nodes, POOL, workload]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply without maxPods', () => {
    expect(judge(rule, [nodeClass(), POOL, web(SMALL)]).outcomes).toEqual([]);
  });
});
