import { autoscalerTargetOutOfReach } from '../../../../../src/validation/rules/disruption/availability/autoscaler-target-out-of-reach';
import { autoscaler, deployment, judge, manifest } from '../../judge';

const rule = autoscalerTargetOutOfReach;
const web = (requests: object, limits?: object) =>
  deployment('web', { containers: [{ name: 'main', image: 'app', resources: { requests, limits } }] });
const SMALL = { cpu: '1', memory: '1Gi' };
const scaler = (name: string, target: object) =>
  autoscaler({ metrics: [{ type: 'Resource', resource: { name, target } }] });
const judged = (...documents: string[]) =>
  judge(rule, documents).findings.map(({ message, remedy }) => `${message} => ${remedy}`);

describe('KARP-441 autoscaler-target-out-of-reach', () => {
  test('reports a percentage that is written as an amount, and writes it as a percentage', () => {
    const { findings } = judge(rule, [web(SMALL), scaler('cpu', { type: 'AverageValue', averageValue: 70 })]);
    const target = ['spec', 'metrics', 0, 'resource', 'target'];
    expect(findings).toMatchObject([
      {
        path: [...target, 'averageValue'],
        message:
          'keeps 70 CPUs for each pod, and a pod requests 1 CPU: hardly any pod reaches it, and this metric never adds pods',
        remedy:
          'write type: Utilization and averageUtilization: 70, which is a percentage of the requests of cpu, instead of averageValue',
      },
    ]);
    expect(findings[0].fix?.edits.map(({ path }) => path.at(-1))).toEqual([
      'averageUtilization',
      'averageValue',
      'type',
    ]);
  });

  test('reports a target above the limits', () => {
    const limited = web(SMALL, { cpu: '1', memory: '1Gi' });
    expect(judged(limited, scaler('cpu', { type: 'Utilization', averageUtilization: 150 }))).toEqual([
      'keeps 150% of the requests, which is 1.5 CPUs for each pod, and the limit of a pod is 1 CPU: no pod reaches it, and this metric never adds pods => write a target below 100%',
    ]);
    expect(judged(limited, scaler('memory', { type: 'AverageValue', averageValue: '2Gi' }))).toHaveLength(1);
  });

  test('reports memory of a few bytes, and triggers of KEDA', () => {
    expect(judged(web(SMALL), scaler('memory', { type: 'AverageValue', averageValue: '500m' }))).toEqual([
      'keeps 0.5 bytes of memory for each pod, which every pod exceeds: it always runs the most replicas => write an amount with a unit, such as 512Mi',
    ]);
    const trigger = { type: 'cpu', metricType: 'AverageValue', metadata: { value: '80' } };
    const scaled = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', {
      scaleTargetRef: { name: 'web' },
      triggers: [trigger],
    });
    expect(judged(web(SMALL), scaled)).toEqual([
      expect.stringContaining('=> write metricType: Utilization, with which 80 is a percentage'),
    ]);
  });

  test.each(['1Mi', '0.8', 'x'])(
    'reports the percentage %s of a trigger of KEDA, which reads whole numbers',
    (value) => {
      const trigger = { type: 'memory', metricType: 'Utilization', metadata: { value } };
      const spec = { scaleTargetRef: { name: 'web' }, triggers: [trigger] };
      expect(judged(web(SMALL), manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', spec))).toEqual([
        expect.stringContaining('is not a whole number of percent'),
      ]);
    },
  );

  test.each([
    ['an amount near the request', 'cpu', { averageValue: '700m' }],
    ['an amount that a pod reaches in a burst', 'cpu', { averageValue: '4' }],
    ['a percentage', 'cpu', { averageUtilization: 250 }],
    ['memory', 'memory', { averageValue: '900Mi' }],
  ])('passes %s', (_, name, target) => {
    expect(judge(rule, [web(SMALL), scaler(name, target)]).states).toEqual(['pass HorizontalPodAutoscaler/web']);
  });

  test('does not apply to other metrics', () => {
    expect(judge(rule, [web(SMALL), autoscaler({ metrics: [{ type: 'Pods', pods: {} }] })]).outcomes).toEqual([]);
  });
});
