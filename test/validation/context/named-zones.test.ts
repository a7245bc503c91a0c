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
