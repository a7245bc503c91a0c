import { cronJob, deployment, job, judge, nodeClass, nodePool } from './helper';
import { TerminationGraceOverridesProtection } from '../../../src/validation/rules/termination-grace-overrides-protection';

const rule = new TerminationGraceOverridesProtection();
const PROTECTED = { 'karpenter.sh/do-not-disrupt': 'true' };
const judged = (terminationGracePeriod: string | undefined, document: string) => judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod }), document]);

describe('KARP-408 termination-grace-overrides-protection', () => {
  test('fails where protected work may run for longer', () => {
    const { states, findings } = judged('1h', job('train', {}, {}, PROTECTED));
    expect(states).toEqual(['fail Job/train']);
    expect(findings[0].message).toContain('may run without an end');
    expect(judged('1h', cronJob('train', '@daily', PROTECTED, { activeDeadlineSeconds: 7200 })).findings[0].message).toContain('may run for 2h');
  });

  test('passes work that is over before, or whose protection is', () => {
    expect(judged('1h', job('train', {}, { activeDeadlineSeconds: 1800 }, PROTECTED)).states).toEqual(['pass Job/train']);
    expect(judged('1h', job('train', {}, {}, { 'karpenter.sh/do-not-disrupt': '30m' })).states).toEqual(['pass Job/train']);
  });

  test('does not apply without an end of the drain, without protection, and to what serves', () => {
    expect(judged(undefined, job('train', {}, {}, PROTECTED)).outcomes).toEqual([]);
    expect(judged('1h', job('train')).outcomes).toEqual([]);
    expect(judged('1h', deployment('web')).outcomes).toEqual([]);
  });
});
