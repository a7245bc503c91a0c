import { deployment, judge, nodeClass, nodePool } from './helper';
import { ExpireAfterTooShort } from '../../../src/validation/rules/expire-after-too-short';

const rule = new ExpireAfterTooShort();
const judged = (expireAfter: string | undefined, pod: object = {}) => judge(rule, [nodeClass(), nodePool('default', { expireAfter }), deployment('web', pod)]);

describe('KARP-427 expire-after-too-short', () => {
  test('fails where nodes expire before a drain is over, and gives the sum', () => {
    const { states, findings } = judged('20m', { terminationGracePeriodSeconds: 1000 });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({ severity: undefined, message: expect.stringContaining('longest pod end 1000 s: 1300 s') });
  });

  test('counts the delays of probes', () => {
    const containers = [{ name: 'main', image: 'app', readinessProbe: { initialDelaySeconds: 120 }, resources: { requests: { cpu: 1, memory: '1Gi' } } }];
    expect(judged('1h', { containers }).findings[0].evidence).toMatchObject({ podStartSeconds: 120, podEndSeconds: 30 });
  });

  test('warns where pods move several times a day', () => {
    expect(judged('5h').findings[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('move 5 times a day') });
  });

  test('passes a day and more', () => {
    expect([judged('24h').states, judged(undefined).states]).toEqual([['pass NodePool/default'], ['pass NodePool/default']]);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judged('${Expiry}').states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply where nodes never expire', () => {
    expect(judged('Never').outcomes).toEqual([]);
  });
});
