import { run } from './run';
import { deployment, NODE_CLASS, nodePool } from '../validation/setup';

const REQUEST = 'cpu: 1, memory: 1Gi';
const setup = (pool: string) => [NODE_CLASS, pool, deployment('web', 2, REQUEST)].join('---\n');
const SETUP = setup(nodePool(['m5.large']));
const compare = (regions: string, stdin = SETUP, ...args: string[]) =>
  run(['check', '-', '--compare-regions', regions, '--fail-on', 'never', ...args], stdin);

describe('check --compare-regions', () => {
  test('prints nodes and monthly cost of the same manifests in each region', async () => {
    const { code, out } = await compare('us-east-1,eu-central-1');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^REGION +PODS +NODES +PER MONTH +DIFFERENCE +PRICES\nus-east-1 +2 +\d+ +\$\d+ +- .*\neu-central-1 +2 +\d+ +\$\d+ +\+19\.8% /,
    );
  });

  test('compares no prices of different currencies', async () => {
    const { out } = await compare('us-east-1,cn-north-1');
    expect(out).toMatch(/\ncn-north-1 +2 +\d+ +CNY [\d,]+ +- /);
    expect(out).toContain('  cn-north-1: CNY, not compared with other currencies');
    const { regions } = JSON.parse((await compare('us-east-1,cn-north-1', SETUP, '--format', 'json')).out);
    expect(regions.map(({ summary: { cost } }: { summary: { cost: { currency: string } } }) => cost.currency)).toEqual([
      'USD',
      'CNY',
    ]);
  });

  test('does not evaluate the cost of a region without prices', async () => {
    const { out } = await compare('us-east-1,ap-east-2');
    expect(out).toMatch(/\nap-east-2 +2 +\d+ +- +-\n/);
    expect(out).toContain('Cost not evaluated\n  ap-east-2: no prices are known for ap-east-2');
    expect((await compare('us-east-1,ap-east-2', SETUP, '--prices-from', 'ap-east-1')).out).toMatch(
      /\nap-east-2 +2 +\d+ +\$\d+ +\+[\d.]+% .* assumed\n/,
    );
  });

  test('names the pods that do not fit in a region', async () => {
    const { out } = await compare('us-east-1,ap-southeast-5', setup(nodePool(['m4.large'])));
    expect(out).toMatch(/\nap-southeast-5 +0 of 2 /);
    expect(out).toMatch(/Pods that do not fit\n {2}ap-southeast-5: .*web/);
  });

  test.each([
    ['us-east-1', [], '--compare-regions: "us-east-1" names fewer than two regions'],
    ['us-east-1,eu-wets-1', [], '--compare-regions: "eu-wets-1" is not an AWS region; did you mean eu-west-1?'],
    ['us-east-1,eu-west-1', ['--zones', 'us-east-1a'], '--compare-regions: cannot be combined with --zones'],
    [
      'us-east-1,eu-west-1',
      ['--format', 'html'],
      '--compare-regions: cannot be written as html; write --format text or json',
    ],
    ['us-east-1,eu-west-1', ['--prices-from', 'ap-east-2'], '--prices-from: no prices are known for ap-east-2'],
  ])('refuses %s with %j', async (regions, args, message) => {
    const { code, err } = await compare(regions, SETUP, ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
