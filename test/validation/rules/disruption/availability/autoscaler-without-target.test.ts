import { autoscalerWithoutTarget } from '../../../../../src/validation/rules/disruption/availability/autoscaler-without-target';
import { autoscaler, deployment, judge, manifest, workload } from '../../judge';

const rule = autoscalerWithoutTarget;

describe('KARP-434 autoscaler-without-target', () => {
  test('reports a target with a misspelt name', () => {
    expect(
      judge(rule, [autoscaler({ scaleTargetRef: { kind: 'Deployment', name: 'checkuot' } }), deployment('checkout')])
        .findings,
    ).toMatchObject([{ path: ['spec', 'scaleTargetRef', 'name'], remedy: 'write name: checkout' }]);
  });

  test('reports a target of another kind', () => {
    expect(judge(rule, [autoscaler(), workload('StatefulSet', 'web', {})]).findings).toMatchObject([
      { path: ['spec', 'scaleTargetRef', 'kind'], remedy: 'write kind: StatefulSet' },
    ]);
  });

  test('reports a kind in lower case, which the API server does not know', () => {
    expect(
      judge(rule, [autoscaler({ scaleTargetRef: { kind: 'deployment', name: 'web' } }), deployment('web')]).findings,
    ).toMatchObject([{ path: ['spec', 'scaleTargetRef', 'kind'], remedy: 'write kind: Deployment' }]);
  });

  test('reports a Job, which has no replicas to scale', () => {
    const scaled = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', {
      scaleTargetRef: { kind: 'Job', name: 'web' },
    });
    expect(judge(rule, [deployment('web'), scaled]).findings).toMatchObject([
      { path: ['spec', 'scaleTargetRef', 'kind'], remedy: 'write kind: Deployment' },
    ]);
  });

  test('passes a target of the input', () => {
    expect(judge(rule, [autoscaler(), deployment('web')]).states).toEqual(['pass HorizontalPodAutoscaler/web']);
  });

  test('is not evaluated if the target may be elsewhere', () => {
    expect(judge(rule, [autoscaler(), deployment('checkout')]).whys).toEqual(['Deployment web is not in the input']);
  });

  test('finds a Rollout that is named, and one that is almost named', () => {
    const rollout = manifest('argoproj.io/v1alpha1', 'Rollout', 'web', { replicas: 1, template: {} });
    const scaling = (name: string) => autoscaler({ scaleTargetRef: { kind: 'Rollout', name } });
    expect(judge(rule, [rollout, scaling('web')]).findings).toEqual([]);
    expect(judge(rule, [rollout, scaling('wbe')]).findings).toMatchObject([{ remedy: 'write name: web' }]);
  });

  test('does not apply to other kinds of targets', () => {
    expect(judge(rule, [autoscaler({ scaleTargetRef: { kind: 'Widget', name: 'web' } })]).outcomes).toEqual([]);
  });

  test('reports a ScaledObject of KEDA, and a workload that has the name of the autoscaler', () => {
    const scaled = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'frontend' } });
    expect(judge(rule, [deployment('web'), scaled]).findings).toMatchObject([
      { object: { kind: 'ScaledObject' }, path: ['spec', 'scaleTargetRef', 'name'], remedy: 'write name: web' },
    ]);
  });

  test('notes an autoscaler without a namespace whose only target is in one', () => {
    expect(judge(rule, [autoscaler(), deployment('web', {}, { namespace: 'shop' })]).findings).toMatchObject([
      { path: ['metadata'], severity: 'info', remedy: 'write metadata.namespace: shop' },
    ]);
  });

  test('does not choose between targets in two namespaces', () => {
    const targets = ['blue', 'green'].map((namespace) => deployment('web', {}, { namespace }));
    expect(judge(rule, [autoscaler(), ...targets]).whys).toEqual(['Deployment web is not in the input']);
  });
});
