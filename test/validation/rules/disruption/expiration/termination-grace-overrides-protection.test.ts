import { terminationGraceOverridesProtection } from '../../../../../src/validation/rules/disruption/expiration/termination-grace-overrides-protection';
import { cronJob, deployment, job, judge, nodeClass, nodePool } from '../../judge';

const rule = terminationGraceOverridesProtection;
const PROTECTED = { 'karpenter.sh/do-not-disrupt': 'true' };
const judged = (terminationGracePeriod: string | undefined, document: string) =>
  judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod }), document]);

describe('KARP-408 termination-grace-overrides-protection', () => {
  test('reports a protected Job that may run longer', () => {
    const { states, findings } = judged('1h', job('train', {}, {}, PROTECTED));
    expect(states).toEqual(['fail Job/train']);
    expect(findings[0].message).toContain('may run without a time limit');
    expect(
      judged('1h', cronJob('train', '@daily', PROTECTED, { activeDeadlineSeconds: 7200 })).findings[0].message,
    ).toContain('may run for 2 h');
  });

  test('passes a Job that ends earlier, or whose protection does', () => {
    expect(judged('1h', job('train', {}, { activeDeadlineSeconds: 1800 }, PROTECTED)).states).toEqual([
      'pass Job/train',
    ]);
    expect(judged('1h', job('train', {}, {}, { 'karpenter.sh/do-not-disrupt': '30m' })).states).toEqual([
      'pass Job/train',
    ]);
  });

  test('does not apply without a terminationGracePeriod, without protection, and to Deployments', () => {
    expect(judged(undefined, job('train', {}, {}, PROTECTED)).outcomes).toEqual([]);
    expect(judged('1h', job('train')).outcomes).toEqual([]);
    expect(judged('1h', deployment('web')).outcomes).toEqual([]);
  });
});
