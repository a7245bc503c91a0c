import { spreadMissesOwnPods } from '../../../../../src/validation/rules/disruption/availability/spread-misses-own-pods';
import { deployment, judge, workload } from '../../judge';

const rule = spreadMissesOwnPods;
const spread = (...selectors: (object | undefined)[]) => ({
  topologySpreadConstraints: selectors.map((labelSelector, i) => ({
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: i === 0 ? 'DoNotSchedule' : 'ScheduleAnyway',
    labelSelector,
  })),
});
const OWN = { matchLabels: { app: 'web' } };

describe('KARP-428 spread-misses-own-pods', () => {
  test('reports a selector that matches only other pods, and points at the constraint', () => {
    const { states, findings } = judge(rule, [deployment('web', spread(OWN, { matchLabels: { app: 'nginx' } }))]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.topologySpreadConstraints[1]');
    expect(findings[0].message).toBe(
      'labelSelector does not match the labels of its own pods: nothing spreads the pods over kubernetes.io/hostname',
    );
  });

  test.each([
    [{ matchLabels: { app: 'wbe' } }, 'app', 'write app: web instead of app: wbe in the labelSelector'],
    [{ matchLabels: { ap: 'web' } }, 'ap', 'write app: web instead of ap: web in the labelSelector'],
  ])('names the misspelt label of the selector %j', (selector, key, remedy) => {
    const { findings } = judge(rule, [deployment('web', spread(selector))]);
    expect(findings).toMatchObject([{ remedy, isTypo: true }]);
    expect(findings[0].path.slice(-2)).toEqual(['matchLabels', key]);
  });

  test('reports a term of an affinity that selects no pod because of a typing error', () => {
    const term = (matchLabels: object) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels } });
    const found = (affinity: object) => judge(rule, [deployment('api'), deployment('web', { affinity })]).findings;
    const apart = (matchLabels: object) =>
      found({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(matchLabels)] } });
    expect(apart({ app: 'aip' })).toMatchObject([
      {
        message: expect.stringContaining('it keeps the pods apart from none'),
        remedy: 'write app: api instead of app: aip',
      },
    ]);
    expect(apart({ ap: 'web' })).toMatchObject([{ remedy: 'write app: web instead of ap: web' }]);
    expect(apart({ app: 'api' })).toEqual([]);
    expect(apart({ app: 'database' })).toEqual([]);
    const near = { weight: 1, podAffinityTerm: term({ app: 'Api' }) };
    expect(found({ podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [near] } })).toMatchObject([
      { message: expect.stringContaining('it draws the pods to none'), remedy: 'write app: api instead of app: Api' },
    ]);
  });

  test('reports a missing selector', () => {
    expect(judge(rule, [deployment('web', spread(undefined))]).findings[0].message).toContain(
      'labelSelector is missing, so no pod is counted',
    );
  });

  test.each([OWN, {}, { matchExpressions: [{ key: 'app', operator: 'Exists' }] }])(
    'passes the selector %j',
    (selector) => {
      expect(judge(rule, [deployment('web', spread(selector))]).states).toEqual(['pass Deployment/web']);
    },
  );

  test('does not apply to pods without constraints, and to daemonsets', () => {
    expect(judge(rule, [deployment('web', {}), workload('DaemonSet', 'agent', spread(undefined))]).outcomes).toEqual(
      [],
    );
  });
});
