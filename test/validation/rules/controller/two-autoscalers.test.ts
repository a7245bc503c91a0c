import { twoAutoscalers } from '../../../../src/validation/rules/controller/two-autoscalers';
import { deployment, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = twoAutoscalers;
const POD = { containers: [{ name: 'main', image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.34.0' }] };
const scaler = (replicas: number) => deployment('cluster-autoscaler', POD, { replicas });

describe('KARP-913 two-autoscalers', () => {
  test('reports Cluster Autoscaler beside NodePools', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), scaler(1)]).findings).toMatchObject([
      { path: ['spec', 'replicas'], evidence: { nodePools: ['default'] } },
    ]);
  });

  test('reports a release of the chart of Cluster Autoscaler', () => {
    const release = (values: object) =>
      manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'ca', {
        chart: { spec: { chart: 'cluster-autoscaler', sourceRef: { kind: 'HelmRepository', name: 'autoscaler' } } },
        values,
      });
    expect(judge(rule, [nodeClass(), nodePool('default'), release({})]).findings).toMatchObject([
      { object: { kind: 'HelmRelease' }, path: ['spec', 'values', 'replicaCount'], fix: { edits: [{ value: 0 }] } },
    ]);
    expect(judge(rule, [nodeClass(), nodePool('default'), release({ replicaCount: 0 })]).findings).toEqual([]);
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
