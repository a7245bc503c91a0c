import { autoscalersInConflict } from '../../../../../src/validation/rules/disruption/availability/autoscalers-in-conflict';
import { autoscaler, deployment, judge, manifest } from '../../judge';

const rule = autoscalersInConflict;
const WEB = deployment('web');
const scaled = (fields: object = {}) =>
  manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' }, triggers: [], ...fields });
const vertical = (fields: object = {}) =>
  manifest('autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'web', {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    ...fields,
  });

describe('KARP-437 autoscalers-in-conflict', () => {
  test('reports two HorizontalPodAutoscalers of one workload', () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const second = manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web-memory', {
      scaleTargetRef,
      maxReplicas: 9,
    });
    const { findings } = judge(rule, [WEB, autoscaler(), second]);
    expect(findings).toHaveLength(1);
    expect(findings[0].message).toContain('neither scales it (AmbiguousSelector)');
  });

  test('reports a ScaledObject beside a HorizontalPodAutoscaler, unless KEDA takes that over', () => {
    expect(judge(rule, [WEB, autoscaler(), scaled()]).findings).toMatchObject([
      { object: { kind: 'HorizontalPodAutoscaler' }, path: ['spec', 'scaleTargetRef'] },
    ]);
    const taken = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: web, annotations: { scaledobject.keda.sh/transfer-hpa-ownership: "true" } }
spec: { scaleTargetRef: { name: web }, triggers: [] }
`;
    expect(judge(rule, [WEB, autoscaler(), taken]).findings).toEqual([]);
  });

  test('reports a VerticalPodAutoscaler that sets the requests by which another autoscaler measures', () => {
    expect(judge(rule, [WEB, autoscaler(), vertical()]).findings).toMatchObject([
      { object: { kind: 'VerticalPodAutoscaler' }, severity: 'warning', evidence: { resources: ['cpu'] } },
    ]);
    const cpu = { triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } }] };
    expect(judge(rule, [WEB, scaled(cpu), vertical()]).findings).toMatchObject([{ evidence: { resources: ['cpu'] } }]);
  });

  test('passes a VerticalPodAutoscaler that only advises, or sets other requests', () => {
    const memory = { resourcePolicy: { containerPolicies: [{ containerName: '*', controlledResources: ['memory'] }] } };
    const off = { resourcePolicy: { containerPolicies: [{ containerName: '*', mode: 'Off' }] } };
    for (const fields of [{ updatePolicy: { updateMode: 'Off' } }, memory, off])
      expect(judge(rule, [WEB, autoscaler(), vertical(fields)]).findings).toEqual([]);
    expect(judge(rule, [WEB, scaled(), vertical()]).findings).toEqual([]);
  });

  test('passes one autoscaler for each workload', () => {
    expect(
      judge(rule, [
        WEB,
        deployment('other'),
        autoscaler(),
        vertical({ targetRef: { kind: 'Deployment', name: 'other' } }),
      ]).findings,
    ).toEqual([]);
  });
});
