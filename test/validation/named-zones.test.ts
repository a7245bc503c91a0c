import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from './setup';
import { check, CheckOptions } from '../../src/validation';

const ZONE = 'topology.kubernetes.io/zone';
const inZones = (...zones: string[]) => nodePool(['m5.large']).replace('requirements:\n', `requirements:\n      - { key: ${ZONE}, operator: In, values: [${zones.join(', ')}] }\n`);
const selecting = (zone: string) => deployment('web', 1, SMALL).replace('    spec:\n', `    spec:\n      nodeSelector: { ${ZONE}: ${zone} }\n`);

function verdict(pool: string, workload = deployment('web', 1, SMALL), options: CheckOptions = {}) {
  return check(manifests(pool, NODE_CLASS, workload), options);
}

describe('a zone that a manifest names', () => {
  test('is there, beside those that are supposed', () => {
    const { nodePools, summary } = verdict(inZones('us-east-1a', 'us-east-1d'));
    expect(nodePools[0].zones).toEqual(['us-east-1a', 'us-east-1d']);
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
  });

  test('tells the region, where nobody says it', () => {
    const { summary, assumptions } = verdict(inZones('eu-central-1a'));
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
    expect(assumptions.join()).toContain('(eu-central-1a, eu-central-1b, eu-central-1c)');
  });

  test('is there for a pod that asks for it', () => {
    expect(verdict(nodePool(['m5.large']), selecting('us-east-1f')).summary).toMatchObject({ errors: 0, scheduledPods: 1 });
  });

  test('is not needed where the zones are given, which tell the region', () => {
    const { assumptions, nodePools } = verdict(nodePool(['m5.large']), undefined, { zones: ['eu-central-1a', 'eu-central-1c'] });
    expect(nodePools[0].zones).toEqual(['eu-central-1a', 'eu-central-1c']);
    expect(assumptions).toContain('there are no published prices for eu-central-1 here: on-demand prices are those of us-east-1');
  });

  test('is not there in another region than the one that was given', () => {
    expect(verdict(inZones('eu-central-1a'), undefined, { region: 'us-east-1' }).summary).toMatchObject({ scheduledPods: 0 });
  });

  test('is not there if others were given', () => {
    expect(verdict(inZones('us-east-1d'), undefined, { zones: ['us-east-1a'] }).summary).toMatchObject({ scheduledPods: 0 });
  });

  describe('beside one of another region', () => {
    const WHICH = 'which of the regions eu-central-1 and us-west-2 the cluster is in (--region tells it)';

    test('leaves a NodePool that names them unjudged: the region is not guessed', () => {
      const { assumptions, summary } = verdict(inZones('eu-central-1a', 'us-west-2a'));
      expect(assumptions).toContain(`NodePool default is not judged: ${WHICH} is known only at deployment`);
      expect(summary).toMatchObject({ errors: 0, scheduledPods: 0 });
    });

    test('leaves a pod that names one not evaluated, and places the others', () => {
      const workloads = [selecting('eu-central-1a'), selecting('us-west-2a').replace(/web/g, 'other'), deployment('free', 1, SMALL)];
      const { notEvaluated, summary } = verdict(nodePool(['m5.large']), workloads.join('---\n'));
      expect(notEvaluated.map(({ what }) => what)).toEqual([[WHICH], [WHICH]]);
      expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
    });

    test('is judged where the region is given', () => {
      const { nodePools, notEvaluated } = verdict(inZones('eu-central-1a', 'us-west-2a'), undefined, { region: 'us-west-2' });
      expect([nodePools[0].zones, notEvaluated]).toEqual([['us-west-2a'], []]);
    });
  });

  const inRegion = (region: string) => nodePool(['m5.large']).replace('requirements:\n', `requirements:\n      - { key: topology.kubernetes.io/region, operator: In, values: [${region}] }\n`);

  test('is in the region that a manifest names', () => {
    const { nodePools, summary } = verdict(inRegion('eu-west-3'));
    expect(nodePools[0].zones).toEqual(['eu-west-3a', 'eu-west-3b', 'eu-west-3c']);
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
  });

  test('is in no region of a name that none can have', () => {
    expect(verdict(inRegion('europe')).summary).toMatchObject({ scheduledPods: 0 });
  });

  test('is none where it has not the form of one', () => {
    expect(verdict(inZones('us-east-1')).findings.map(({ rule }) => rule)).toContain('KARP-318');
  });
});
