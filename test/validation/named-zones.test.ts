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

  test('is not there in another region than the one that was given', () => {
    expect(verdict(inZones('eu-central-1a'), undefined, { region: 'us-east-1' }).summary).toMatchObject({ scheduledPods: 0 });
  });

  test('is not there if others were given', () => {
    expect(verdict(inZones('us-east-1d'), undefined, { zones: ['us-east-1a'] }).summary).toMatchObject({ scheduledPods: 0 });
  });

  test('does not tell the region if there are such of several', () => {
    const { assumptions } = verdict(inZones('eu-central-1a', 'us-west-2a'));
    expect(assumptions.join()).toContain('(us-east-1a, us-east-1b, us-east-1c)');
  });

  test('is none where it has not the form of one', () => {
    expect(verdict(inZones('us-east-1')).findings.map(({ rule }) => rule)).toContain('KARP-318');
  });
});
