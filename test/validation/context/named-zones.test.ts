import { check, CheckOptions } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const ZONE = 'topology.kubernetes.io/zone';
const inZones = (...zones: string[]) =>
  nodePool(['m5.large']).replace(
    'requirements:\n',
    `requirements:\n      - { key: ${ZONE}, operator: In, values: [${zones.join(', ')}] }\n`,
  );
const selecting = (zone: string) =>
  deployment('web', 1, SMALL).replace('    spec:\n', `    spec:\n      nodeSelector: { ${ZONE}: ${zone} }\n`);

function verdict(pool: string, workload = deployment('web', 1, SMALL), options: CheckOptions = {}) {
  return check(manifests(pool, NODE_CLASS, workload), options);
}

describe('a zone that a manifest names', () => {
  test('is added to the default zones', () => {
    const { nodePools, summary } = verdict(inZones('us-east-1a', 'us-east-1d'));
    expect(nodePools[0].zones).toEqual(['us-east-1a', 'us-east-1d']);
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
  });

  test('determines the region if no region is given', () => {
    const { summary, assumptions } = verdict(inZones('eu-central-1a'));
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
    expect(assumptions.join()).toContain('zones eu-central-1a, eu-central-1b, eu-central-1c ');
  });

  test('is added if a pod selects it', () => {
    expect(verdict(nodePool(['m5.large']), selecting('us-east-1f')).summary).toMatchObject({
      errors: 0,
      scheduledPods: 1,
    });
  });

  test('is not needed if zones are given, which determine the region', () => {
    const { assumptions, nodePools } = verdict(nodePool(['m5.large']), undefined, {
      zones: ['eu-central-1a', 'eu-central-1c'],
    });
    expect(nodePools[0].zones).toEqual(['eu-central-1a', 'eu-central-1c']);
    expect(assumptions).toContain('on-demand prices of eu-central-1 are recorded prices of 2025-05-28');
  });

  test('is ignored if it is in another region than the given one', () => {
    expect(verdict(inZones('eu-central-1a'), undefined, { region: 'us-east-1' }).summary).toMatchObject({
      scheduledPods: 0,
    });
  });

  test('is ignored if other zones are given', () => {
    expect(verdict(inZones('us-east-1d'), undefined, { zones: ['us-east-1a'] }).summary).toMatchObject({
      scheduledPods: 0,
    });
  });

  describe('together with a zone of another region', () => {
    const WHICH = 'the region of the cluster, eu-central-1 or us-west-2 (pass --region),';

    test('is reported as KARP-216, and the first of them is the region', () => {
      const { findings, nodePools, summary } = verdict(inZones('eu-central-1a', 'us-west-2a'));
      expect(findings).toContainEqual(
        expect.objectContaining({
          rule: 'KARP-216',
          message:
            'requires us-west-2a, which is in us-west-2, and the other manifests are for eu-central-1: the NodePool launches no nodes there',
        }),
      );
      expect(nodePools[0].zones).toEqual(['eu-central-1a']);
      expect(summary).toMatchObject({ errors: 1, scheduledPods: 1 });
    });

    test('makes pods that select one of them not evaluated, and schedules other pods', () => {
      const workloads = [
        selecting('eu-central-1a'),
        selecting('us-west-2a').replace(/web/g, 'other'),
        deployment('free', 1, SMALL),
      ];
      const { notEvaluated, summary } = verdict(nodePool(['m5.large']), workloads.join('---\n'));
      expect(notEvaluated.map(({ what }) => what)).toEqual([[WHICH], [WHICH]]);
      expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
    });

    test('is evaluated if the region is given', () => {
      const { nodePools, notEvaluated } = verdict(inZones('eu-central-1a', 'us-west-2a'), undefined, {
        region: 'us-west-2',
      });
      expect([nodePools[0].zones, notEvaluated]).toEqual([['us-west-2a'], []]);
    });
  });

  const inRegion = (region: string) =>
    nodePool(['m5.large']).replace(
      'requirements:\n',
      `requirements:\n      - { key: topology.kubernetes.io/region, operator: In, values: [${region}] }\n`,
    );

  test('is in the region that a manifest names', () => {
    const { nodePools, summary } = verdict(inRegion('eu-west-3'));
    expect(nodePools[0].zones).toEqual(['eu-west-3a', 'eu-west-3b', 'eu-west-3c']);
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
  });

  test('is not added for an invalid region name', () => {
    expect(verdict(inRegion('europe')).summary).toMatchObject({ scheduledPods: 0 });
  });

  test('is reported as KARP-216 if it is not a valid zone name', () => {
    expect(verdict(inZones('us-east-1')).findings.map(({ rule }) => rule)).toContain('KARP-216');
  });
});

describe('the subnets of a node class', () => {
  const subnet = (id: string, zone: string, value = 'b') => ({
    SubnetId: id,
    AvailabilityZone: zone,
    AvailableIpAddressCount: 250,
    Tags: [{ Key: 'a', Value: value }],
  });
  const described = (...Subnets: object[]): CheckOptions => ({
    cluster: [{ path: 'subnets.json', text: JSON.stringify({ Subnets }) }],
  });
  const SPREAD = deployment(
    'web',
    6,
    SMALL,
    `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${ZONE}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n`,
  );
  const SUBNETS = [
    subnet('subnet-1', 'us-west-2d'),
    subnet('subnet-2', 'us-west-2a'),
    subnet('subnet-3', 'us-west-2b', 'other'),
  ];
  const NOTE = 'zones with a subnet: us-west-2a and us-west-2d (EC2NodeClass main)';

  test('are in the only zones that have nodes, and say which region it is', () => {
    const { nodePools, assumptions, summary } = verdict(nodePool(['m5.large']), SPREAD, described(...SUBNETS));
    expect(nodePools[0].zones).toEqual(['us-west-2a', 'us-west-2d']);
    expect(summary.scheduledPods).toBe(6);
    expect(assumptions.filter((sentence) => sentence.startsWith(NOTE))).toHaveLength(1);
  });

  test('leave a pod without a node that selects a zone without one', () => {
    const { findings, summary } = verdict(nodePool(['m5.large']), selecting('us-west-2b'), described(...SUBNETS));
    const pending = findings.find(({ rule }) => rule === 'KARP-213');
    expect(summary).toMatchObject({ scheduledPods: 0 });
    expect(pending?.remedy).toContain('us-west-2a or us-west-2d');
  });

  test('are one error for a NodePool of other zones only, whatever the operator', () => {
    const rules = (pool: string) =>
      verdict(pool, undefined, described(...SUBNETS))
        .findings.filter(({ severity }) => severity === 'error')
        .map(({ rule }) => rule);
    expect(rules(inZones('us-west-2b'))).toEqual(['KARP-216']);
    expect(rules(inZones('us-west-2a', 'us-west-2d').replace('operator: In', 'operator: NotIn'))).toEqual(['KARP-201']);
  });

  test.each<[string, CheckOptions, string[]]>([
    ['zones are given', { ...described(...SUBNETS), zones: ['us-west-2c'] }, ['us-west-2c']],
    [
      'one of them is in another region',
      described(...SUBNETS, subnet('subnet-4', 'eu-west-1a')),
      ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    ],
    ['the class selects none', described(SUBNETS[2]), ['us-east-1a', 'us-east-1b', 'us-east-1c']],
    [
      'one of them is in a Local Zone',
      described(...SUBNETS, subnet('subnet-4', 'us-west-2-lax-1a')),
      ['us-west-2a', 'us-west-2b', 'us-west-2c'],
    ],
  ])('are not used if %s', (_, options, zones) => {
    const { nodePools, assumptions } = verdict(nodePool(['m5.large']), deployment('web', 1, SMALL), options);
    expect([nodePools[0].zones, assumptions.join().includes('zones with a subnet')]).toEqual([zones, false]);
  });
});
