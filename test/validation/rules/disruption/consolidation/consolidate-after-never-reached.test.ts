import { consolidateAfterNeverReached } from '../../../../../src/validation/rules/disruption/consolidation/consolidate-after-never-reached';
import { autoscaler, cronJob, deployment, judge, nodeClass, nodePool } from '../../judge';

const rule = consolidateAfterNeverReached;
const judged = (consolidateAfter: string, document: string) =>
  judge(rule, [nodeClass(), nodePool('default', { disruption: { consolidateAfter } }), document]);

describe('KARP-422 consolidate-after-never-reached', () => {
  test('reports a CronJob that runs more often than consolidateAfter', () => {
    const { states, findings } = judged('1h', cronJob('sync', '*/15 * * * *'));
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({
      evidence: { consolidateAfter: '1h', cronJob: 'sync', longestGapSeconds: 900 },
      message: expect.stringContaining('runs at least every 15m'),
    });
  });

  test('passes a CronJob with a longer gap, such as the weekend', () => {
    expect(judged('10m', cronJob('sync', '*/15 * * * *')).states).toEqual(['pass NodePool/default']);
    expect(judged('1h', cronJob('sync', '*/15 * * * mon-fri')).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judged('${After}', cronJob('sync', '@hourly')).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without CronJobs, to rare CronJobs, and to NodePools that are never consolidated', () => {
    expect(judged('1h', deployment('web')).outcomes).toEqual([]);
    expect(judged('1h', cronJob('sync', '0 0 1 6 *')).outcomes).toEqual([]);
    expect(judged('Never', cronJob('sync', '@hourly')).outcomes).toEqual([]);
  });

  test.each(['WhenEmptyOrUnderutilized', 'Balanced', 'WhenEmpty'])(
    'notes consolidateAfter: Never with policy %s',
    (policy) => {
      const disruption = { consolidationPolicy: policy, consolidateAfter: 'Never' };
      const { findings } = judge(rule, [nodeClass(), nodePool('default', { disruption })]);
      expect(findings).toMatchObject([{ severity: 'info', path: ['spec', 'disruption', 'consolidateAfter'] }]);
      expect(findings[0].message).toContain(`so consolidationPolicy ${policy} has no effect`);
    },
  );

  test('warns of Never if an autoscaler or jobs leave empty nodes behind', () => {
    const disruption = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
    const container = { name: 'a', image: 'a', resources: { requests: { cpu: '1' } } };
    const judgedNever = (...documents: string[]) =>
      judge(rule, [nodeClass(), nodePool('default', { disruption }), ...documents]).findings;
    const scaled = [autoscaler({ minReplicas: 1, maxReplicas: 9 }), deployment('web', { containers: [container] })];
    expect(judgedNever(...scaled)).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('after a peak of HorizontalPodAutoscaler web, empty nodes stay'),
        remedy: expect.stringMatching(/^write a duration/),
      },
    ]);
    expect(judgedNever(cronJob('sync', '@hourly'))[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('after the pods of CronJob default/sync, empty nodes stay'),
    });
  });

  test('advises another NodePool if a shorter time is too short for the other pods', () => {
    const documents = (schedule: string) => [
      nodeClass(),
      nodePool('default', { disruption: { consolidateAfter: '1h' } }),
      cronJob('sync', schedule),
    ];
    const remedyOf = (schedule: string) => judge(rule, documents(schedule)).findings[0];
    expect(remedyOf('*/8 * * * *').remedy).toContain('such as 5m, or run');
    const [finding] = judge(rule, documents('*/5 * * * *')).findings;
    expect(finding.remedy).toMatch(/^run the CronJob in a NodePool of its own, or less often/);
    expect(finding.fix).toBeUndefined();
  });

  test('does not apply to Never in static NodePools', () => {
    const fixed = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
    expect(judge(rule, [nodeClass(), nodePool('default', { replicas: 2, disruption: fixed })]).outcomes).toEqual([]);
  });
});
