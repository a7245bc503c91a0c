import { twoAutoscalers } from '../../../../src/validation/rules/controller/two-autoscalers';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = twoAutoscalers;
const POD = { containers: [{ name: 'main', image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0' }] };
const scaler = (replicas: number) => deployment('cluster-autoscaler', POD, { replicas });

describe('KARP-913 two-autoscalers', () => {
  test('reports Cluster Autoscaler beside NodePools', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), scaler(1)]).findings).toMatchObject([
      { path: ['spec', 'replicas'], evidence: { nodePools: ['default'] } },
    ]);
  });

  test('passes Cluster Autoscaler that is scaled to 0', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), scaler(0)]).states).toEqual([
      'pass Deployment/cluster-autoscaler',
    ]);
  });

  test('does not apply without NodePools, nor to other workloads', () => {
    expect(judge(rule, [scaler(1)]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), nodePool('default'), deployment('web')]).outcomes).toEqual([]);
  });
});
