import { autoscaler, cronJob, deployment, judge, nodeClass, nodePool, PoolFields } from './helper';
import { ConsolidateAfterTooShort } from '../../../src/validation/rules/consolidate-after-too-short';

const rule = new ConsolidateAfterTooShort();
const judged = (fields: PoolFields, ...documents: string[]) => judge(rule, [nodeClass(), nodePool('default', fields), ...documents]);
const after = (consolidateAfter: string, consolidationPolicy?: string) => ({ disruption: { consolidateAfter, consolidationPolicy } });
const slow = deployment('web', { containers: [{ name: 'main', image: 'app', readinessProbe: { initialDelaySeconds: 90 }, resources: { requests: { cpu: 1, memory: '1Gi' } } }] });

describe('KARP-421 consolidate-after-too-short', () => {
  test('fails where pods take longer to start', () => {
    const { states, findings } = judged({}, slow);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('consolidates 0s after the last change on a node, and the pods of Deployment web take at least 90 s to start');
    expect(findings[0].remedy).toContain('1m30s');
  });

  test('fails where an autoscaler changes its mind, or a CronJob comes and goes', () => {
    expect(judged(after('1m'), deployment('web'), autoscaler()).findings[0].evidence).toEqual({ consolidateAfter: '1m', seconds: 300 });
    expect(judged(after('1m'), cronJob('sync', '*/15 * * * *')).findings[0].message).toContain('CronJob sync');
  });

  test.each<[string, PoolFields, string[]]>([
    ['pods that come to rest', {}, [deployment('web')]],
    ['a pause that is long enough', after('5m'), [slow, deployment('api'), cronJob('sync', '@hourly')]],
    ['an autoscaler that removes pods at once', {}, [deployment('web'), autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } })]],
  ])('passes %s', (_, fields, documents) => {
    expect(judged(fields, ...documents).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judged(after('${After}'), slow).states).toEqual(['not-evaluated NodePool/default']);
  });

  test.each([after('0s', 'WhenEmpty'), after('0s', 'Balanced'), after('Never')])('does not apply to %j', (fields) => {
    expect(judged(fields, slow).outcomes).toEqual([]);
  });
});
