import { simulateScenario } from '../../../../../src/validation';
import { expireAfterTooShort } from '../../../../../src/validation/rules/disruption/expiration/expire-after-too-short';
import { deployment, judge, nodeClass, nodePool, pdb } from '../../judge';

const rule = expireAfterTooShort;
const judged = (expireAfter: string | undefined, pod: object = {}) =>
  judge(rule, [nodeClass(), nodePool('default', { expireAfter }), deployment('web', pod)]);

describe('KARP-427 expire-after-too-short', () => {
  test('reports an error if nodes expire before a drain is over, and shows the sum', () => {
    const { states, findings } = judged('20m', { terminationGracePeriodSeconds: 1000 });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({
      severity: undefined,
      message: expect.stringContaining('+ 1000 s longest pod termination = 1300 s'),
    });
  });

  test('names no budgets before 1.0, where budgets limit expiry', () => {
    const messageOf = (servingVersion?: string) =>
      judge(rule, [nodeClass(), nodePool('default', { expireAfter: '6h' })], { servingVersion }).findings[0].message;
    expect(messageOf()).toMatch(/4 times a day, and disruption budgets do not limit that$/);
    expect(messageOf('0.34.0')).toMatch(/4 times a day$/);
  });

  test('adds the delays of probes', () => {
    const containers = [
      {
        name: 'main',
        image: 'app',
        readinessProbe: { initialDelaySeconds: 120, tcpSocket: { port: 80 } },
        resources: { requests: { cpu: 1, memory: '1Gi' } },
      },
    ];
    expect(judged('1h', { containers }).findings[0].evidence).toMatchObject({
      podStartSeconds: 120,
      podEndSeconds: 30,
    });
  });

  describe('with a PodDisruptionBudget that allows one eviction at a time', () => {
    const withPdb = (expireAfter: string, replicas = 12) => [
      nodeClass(),
      nodePool('default', { expireAfter }),
      deployment('web', {}, { replicas }),
      pdb({ maxUnavailable: 1 }),
    ];
    const simulatedDrain = (documents: readonly string[]) =>
      simulateScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], 'expiration').reports[0].drains[0];

    test('reports an error if only the simulated drain takes too long', () => {
      const drain = simulatedDrain(withPdb('9m'));
      expect(drain).toMatchObject({ node: 'default-0', nodePool: 'default', pods: 12 });
      const { states, findings } = judge(rule, withPdb('9m'));
      expect(states).toEqual(['fail NodePool/default']);
      expect(findings[0].evidence).toMatchObject({ simulatedDrain: drain });
      expect(findings[0].severity).toBeUndefined();
      expect(findings[0].message).toContain(
        `before one replacement is finished (300 s until the node is ready + 0 s slowest pod start + ${drain.seconds} s to drain 12 pods from default-0 (simulated) = ${300 + drain.seconds} s)`,
      );
    });

    test('reports a warning if the simulated drain ends in time', () => {
      const { seconds } = simulatedDrain(withPdb('10m'));
      expect(judge(rule, withPdb(`${300 + seconds}s`)).findings[0]).toMatchObject({ severity: 'warning' });
      expect(judge(rule, withPdb(`${299 + seconds}s`)).findings[0]).toMatchObject({ severity: undefined });
    });

    test.each<[string, string[]]>([
      ['there are too many pods to simulate', withPdb('10m', 1001)],
      ['a drain never ends', [...withPdb('10m').slice(0, 3), pdb({ maxUnavailable: 0 })]],
      [
        'some NodePool is known only at deployment',
        [...withPdb('10m'), nodePool('another', { expireAfter: '${Expiry}' })],
      ],
    ])('uses only the plan if %s', (_, documents) => {
      const finding = judge(rule, documents).findings[0];
      expect(finding).toMatchObject({ severity: 'warning', evidence: { simulatedDrain: null, podEndSeconds: 30 } });
      expect(finding.message).not.toContain('simulated');
    });
  });

  test('reports a warning if pods are evicted several times a day', () => {
    expect(judged('5h').findings[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('all pods are evicted 5 times a day'),
    });
  });

  test('passes a day or more', () => {
    expect([judged('24h').states, judged(undefined).states]).toEqual([
      ['pass NodePool/default'],
      ['pass NodePool/default'],
    ]);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judged('${Expiry}').states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply if nodes never expire', () => {
    expect(judged('Never').outcomes).toEqual([]);
  });
});
