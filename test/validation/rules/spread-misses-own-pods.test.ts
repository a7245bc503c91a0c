import { deployment, judge, workload } from './helper';
import { SpreadMissesOwnPods } from '../../../src/validation/rules/spread-misses-own-pods';

const rule = new SpreadMissesOwnPods();
const spread = (...selectors: (object | undefined)[]) => ({
  topologySpreadConstraints: selectors.map((labelSelector, i) =>
    ({ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: i === 0 ? 'DoNotSchedule' : 'ScheduleAnyway', labelSelector })),
});
const OWN = { matchLabels: { app: 'web' } };

describe('KARP-428 spread-misses-own-pods', () => {
  test('fails where the selector is that of other pods, and tells which constraint it is', () => {
    const { states, findings } = judge(rule, [deployment('web', spread(OWN, { matchLabels: { app: 'nginx' } }))]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.topologySpreadConstraints[1]');
    expect(findings[0].message).toBe('the labelSelector does not match the labels of its own pods: nothing spreads them over kubernetes.io/hostname');
  });

  test('fails where there is no selector', () => {
    expect(judge(rule, [deployment('web', spread(undefined))]).findings[0].message).toContain('there is no labelSelector, so that no pod is counted');
  });

  test.each([OWN, {}, { matchExpressions: [{ key: 'app', operator: 'Exists' }] }])('passes with %j', (selector) => {
    expect(judge(rule, [deployment('web', spread(selector))]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to pods without constraints, and to daemonsets, which run on every node', () => {
    expect(judge(rule, [deployment('web', {}), workload('DaemonSet', 'agent', spread(undefined))]).outcomes).toEqual([]);
  });
});
