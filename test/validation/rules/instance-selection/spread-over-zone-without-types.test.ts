import { check, CheckOptions } from '../../../../src/validation';
import { deployment, nodeClass, nodePool, oneOf, types } from '../judge';

const ZONE = 'topology.kubernetes.io/zone';
/** inf2.xlarge is offered in use1-az4 and use1-az6, not in use1-az3. */
const IDS: CheckOptions = {
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  zoneIds: { 'us-east-1a': 'use1-az6', 'us-east-1b': 'use1-az4', 'us-east-1c': 'use1-az3' },
};
const poolOf = (type: string, ...zones: string[]) =>
  nodePool('default', {
    requirements: [
      types(type),
      oneOf('karpenter.sh/capacity-type', 'on-demand'),
      ...(zones.length === 0 ? [] : [oneOf(ZONE, ...zones)]),
    ],
  });
const spread = (fields: object = {}, pod: object = {}, replicas = 6) =>
  deployment(
    'web',
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: ZONE,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          ...fields,
        },
      ],
      ...pod,
    },
    { replicas, requests: { cpu: '1', memory: '1Gi' } },
  );

function judged(pool: string, workload: string, options: CheckOptions = IDS) {
  const { findings, summary } = check(
    [{ path: 'test.yaml', text: [nodeClass(), pool, workload].join('\n---\n') }],
    options,
  );
  return {
    summary,
    findings: findings.filter(({ rule }) => rule === 'KARP-218'),
    rules: findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule),
  };
}

describe('KARP-218 spread-over-zone-without-types', () => {
  test('rejects a spread over a zone that offers none of the instance types, and names the zones that do', () => {
    const {
      findings: [finding],
      rules,
      summary,
    } = judged(poolOf('inf2.xlarge'), spread());
    expect(finding.message).toBe(
      'must spread over us-east-1a, us-east-1b and us-east-1c, but only us-east-1a and us-east-1b offer the instance types of its NodePools: ' +
        'each zone gets at most maxSkew: 1, so 4 of its 6 pods stay Pending',
    );
    expect(finding.remedy).toBe(
      "allow instance types that us-east-1c offers, or require us-east-1a and us-east-1b in the pods' node affinity on topology.kubernetes.io/zone",
    );
    expect(finding.evidence).toMatchObject({ zonesWithTypes: ['us-east-1a', 'us-east-1b'], pending: 4 });
    expect(finding.location.path).toBe('spec.template.spec.topologySpreadConstraints[0]');
    expect([summary.scheduledPods, rules]).toEqual([2, ['KARP-218']]);
  });

  test('rejects minDomains above the number of zones with offerings', () => {
    const {
      findings: [finding],
    } = judged(poolOf('inf2.xlarge', 'us-east-1a', 'us-east-1b'), spread({ minDomains: 3, maxSkew: 2 }));
    expect(finding.message).toBe(
      'must spread over minDomains: 3 zones, but its pods and NodePools allow only us-east-1a and us-east-1b: ' +
        'each zone gets at most maxSkew: 2, so 2 of its 6 pods stay Pending',
    );
    expect(finding.remedy).toBe('write minDomains: 2 or less, or let NodePools use more zones');
    expect(finding.location.path).toBe('spec.template.spec.topologySpreadConstraints[0].minDomains');
  });

  test('passes after each remedy', () => {
    for (const [pool, workload] of [
      [poolOf('inf2.xlarge', 'us-east-1a', 'us-east-1b'), spread()],
      [poolOf('inf2.xlarge', 'us-east-1a', 'us-east-1b'), spread({ minDomains: 2 })],
      [poolOf('m4.xlarge'), spread({ minDomains: 3 })],
    ]) {
      const { findings, summary } = judged(pool, workload);
      expect([findings, summary.scheduledPods]).toEqual([[], 6]);
    }
  });

  test('passes if the pods fit within maxSkew', () => {
    expect(judged(poolOf('inf2.xlarge'), spread({}, {}, 2)).findings).toEqual([]);
  });

  test('passes if the pods require the zones that offer the types', () => {
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: ZONE, operator: 'In', values: ['us-east-1a', 'us-east-1b'] }] },
          ],
        },
      },
    };
    const { findings, summary } = judged(poolOf('inf2.xlarge'), spread({}, { affinity }));
    expect([findings, summary.scheduledPods]).toEqual([[], 6]);
  });

  test.each([
    ['the spread is only preferred', poolOf('inf2.xlarge'), spread({ whenUnsatisfiable: 'ScheduleAnyway' })],
    [
      'the spread selects other pods',
      poolOf('inf2.xlarge'),
      spread({ labelSelector: { matchLabels: { app: 'other' } } }),
    ],
    ['the pods fit on no node at all', poolOf('inf2.xlarge'), spread().replace('"cpu": "1"', '"cpu": "500"')],
  ])('does not apply if %s', (_, pool, workload) => {
    expect(judged(pool, workload).findings).toEqual([]);
  });

  test('says nothing if only the names of the zones are known, because each may offer the types', () => {
    expect(judged(poolOf('inf2.xlarge'), spread(), { region: 'us-east-1', zones: IDS.zones }).findings).toEqual([]);
  });
});
