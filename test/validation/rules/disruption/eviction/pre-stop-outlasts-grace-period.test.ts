import { preStopOutlastsGracePeriod } from '../../../../../src/validation/rules/disruption/eviction/pre-stop-outlasts-grace-period';
import { deployment, judge } from '../../judge';

const rule = preStopOutlastsGracePeriod;
const web = (preStop: object, terminationGracePeriodSeconds?: number | string) =>
  deployment('web', {
    terminationGracePeriodSeconds,
    containers: [{ name: 'web', image: 'web', lifecycle: { preStop } }],
  });
const exec = (...command: string[]) => ({ exec: { command } });

describe('KARP-438 pre-stop-outlasts-grace-period', () => {
  test('reports a hook that sleeps longer than the grace period', () => {
    expect(judge(rule, [web(exec('sleep', '120'), 60)]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'containers', 0, 'lifecycle', 'preStop'],
        message:
          'sleeps 120 s before the container gets SIGTERM, and the pod has 60 s in all: the kubelet kills it in the hook, so that each drain cuts its connections',
        remedy: 'write terminationGracePeriodSeconds: 150, which leaves 30 s after the hook, or a shorter hook',
        evidence: { preStopSeconds: 120, terminationGracePeriodSeconds: 60 },
      },
    ]);
  });

  test.each<[string, object, number]>([
    ['a shell', exec('/bin/sh', '-c', 'sleep 45 && nginx -s quit'), 45],
    ['minutes', exec('sh', '-c', 'sleep 2m'), 120],
    ['the sleep action', { sleep: { seconds: 30 } }, 30],
  ])('reads %s, against the default of 30 s', (_, preStop, preStopSeconds) => {
    expect(judge(rule, [web(preStop)]).findings).toMatchObject([
      { evidence: { preStopSeconds, terminationGracePeriodSeconds: 30 } },
    ]);
  });

  test('passes a shorter hook', () => {
    expect(judge(rule, [web(exec('sleep', '15'))]).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to a sleep action above the grace period, which the API server refuses', () => {
    expect(judge(rule, [web({ sleep: { seconds: 31 } })]).outcomes).toEqual([]);
  });

  test('does not apply to hooks of unknown length', () => {
    expect(
      judge(rule, [web(exec('/app/drain', '--sleep', '90')), web({ httpGet: { path: '/quit' } })]).outcomes,
    ).toEqual([]);
  });

  test('is not evaluated if the grace period is known only at deployment', () => {
    expect(judge(rule, [web(exec('sleep', '15'), '${Token[Grace.1]}')]).states).toEqual([
      'not-evaluated Deployment/web',
    ]);
  });
});
