import { podsTakenByFargate } from '../../../../src/validation/rules/instance-selection/pods-taken-by-fargate';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = podsTakenByFargate;
const cluster = (...selectors: object[]) =>
  JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'demo', region: 'us-east-1' },
    fargateProfiles: [{ name: 'all', selectors }],
  });
const found = (selectors: object[], pod: object = {}) =>
  judge(rule, [nodeClass(), nodePool('default'), deployment('web', pod), cluster(...selectors)]).findings;

describe('KARP-271 pods-taken-by-fargate', () => {
  test('reports pods that a profile selects by namespace', () => {
    expect(found([{ namespace: 'default' }])).toMatchObject([
      { path: ['fargateProfiles', 0], message: expect.stringContaining('although the plan counts them') },
    ]);
  });

  test('reports pods that need what Fargate does not have as an error', () => {
    const pod = { nodeSelector: { 'karpenter.sh/nodepool': 'default' } };
    expect(found([{ namespace: '*' }], pod)).toMatchObject([{ severity: 'error' }]);
  });

  test('does not apply to pods of other namespaces or labels', () => {
    expect(found([{ namespace: 'karpenter' }, { namespace: 'default', labels: { team: 'a' } }])).toEqual([]);
  });
});
