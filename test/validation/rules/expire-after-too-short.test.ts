import { deployment, judge, nodeClass, nodePool, pdb } from './helper';
import { playScenario } from '../../../src/validation';
import { ExpireAfterTooShort } from '../../../src/validation/rules/expire-after-too-short';

const rule = new ExpireAfterTooShort();
const judged = (expireAfter: string | undefined, pod: object = {}) => judge(rule, [nodeClass(), nodePool('default', { expireAfter }), deployment('web', pod)]);

describe('KARP-427 expire-after-too-short', () => {
  test('fails where nodes expire before a drain is over, and gives the sum', () => {
    const { states, findings } = judged('20m', { terminationGracePeriodSeconds: 1000 });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({ severity: undefined, message: expect.stringContaining('longest pod end 1000 s = 1300 s') });
  });

  test('counts the delays of probes', () => {
    const containers = [{ name: 'main', image: 'app', readinessProbe: { initialDelaySeconds: 120 }, resources: { requests: { cpu: 1, memory: '1Gi' } } }];
    expect(judged('1h', { containers }).findings[0].evidence).toMatchObject({ podStartSeconds: 120, podEndSeconds: 30 });
  });

  describe('with a PodDisruptionBudget that lets one pod go at a time', () => {
    const guarded = (expireAfter: string, replicas = 12) => [nodeClass(), nodePool('default', { expireAfter }), deployment('web', {}, { replicas }), pdb({ maxUnavailable: 1 })];
    const played = (documents: readonly string[]) => playScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], 'expiration').reports[0].drains[0];

    test('fails where the drain that the scenario shows takes too long, which no single pod does', () => {
      const drain = played(guarded('9m'));
      expect(drain).toMatchObject({ node: 'default-0', nodePool: 'default', pods: 12 });
      const { states, findings } = judge(rule, guarded('9m'));
      expect(states).toEqual(['fail NodePool/default']);
      expect(findings[0].evidence).toMatchObject({ simulatedDrain: drain });
      expect(findings[0].severity).toBeUndefined();
      expect(findings[0].message).toContain(
        `before one drain is over (node ready 300 s + slowest pod start 0 s + drain of the 12 pods of default-0 ${drain.seconds} s (simulated) = ${300 + drain.seconds} s)`);
    });

    test('warns where that drain is over in time', () => {
      const { seconds } = played(guarded('10m'));
      expect(judge(rule, guarded(`${300 + seconds}s`)).findings[0]).toMatchObject({ severity: 'warning' });
      expect(judge(rule, guarded(`${299 + seconds}s`)).findings[0]).toMatchObject({ severity: undefined });
    });

    test.each<[string, string[]]>([
      ['there are more pods than are played', guarded('10m', 1001)],
      ['a drain has no end', [...guarded('10m').slice(0, 3), pdb({ maxUnavailable: 0 })]],
      ['some NodePool is known only at deployment', [...guarded('10m'), nodePool('another', { expireAfter: '${Expiry}' })]],
    ])('goes by the plan alone where %s', (_, documents) => {
      const finding = judge(rule, documents).findings[0];
      expect(finding).toMatchObject({ severity: 'warning', evidence: { simulatedDrain: null, podEndSeconds: 30 } });
      expect(finding.message).not.toContain('simulated');
    });
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
