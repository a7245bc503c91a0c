import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const SETUP = [NODE_CLASS, nodePool(['m5.xlarge']), deployment('web', 2, SMALL), deployment('api', 1, SMALL)];
const MANIFESTS = SETUP.join('---\n');

const checked = (...args: string[]) => run(['check', '-', ...args], MANIFESTS);

describe('check --cost-by', () => {
  test('prints a table with the sum of all rows, and what its columns are', async () => {
    const { code, out } = await checked('--cost-by', 'label:app');
    expect(code).toBe(0);
    expect(out).toMatch(/Cost by label app, \$ a month\n {2}app  pods {4}CPU/);
    expect(out).toMatch(/\n {2}all {5}3 .* 140\.16\n/);
    expect(out).toContain("OpenCost's default weights");
  });

  test('adds the costs to JSON, Markdown and HTML', async () => {
    expect(JSON.parse((await checked('--cost-by', 'workload', '--format', 'json')).out).costs.totalCost).toBe(140.16);
    expect((await checked('--cost-by', 'pool', '--format', 'markdown')).out).toContain('<summary>Cost by pool');
    expect((await checked('--cost-by', 'pool', '--format', 'html')).out).toMatch(
      /Cost by pool, \$ a month<\/h2>.*<thead><tr><th scope="col">pool<\/th><th scope="col" class="r">pods<\/th>/s,
    );
  });

  test('is not needed for the formats of OpenCost, which list workloads then', async () => {
    const { data } = JSON.parse((await checked('--format', 'opencost')).out);
    expect(Object.keys(data[0])).toEqual(['default/web', 'default/api', '__idle__']);
    expect((await checked('--format', 'opencost-csv')).out).toMatch(/^Date,Namespace,ControllerKind,/);
  });

  test('refuses an unknown dimension, and a scenario in a format that has only costs', async () => {
    expect(await checked('--cost-by', 'team')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '--cost-by: unknown value "team"; write workload, namespace, pool, node, or a label',
      ),
    });
    const { code, err } = await checked('--format', 'opencost', '--scenario', 'drift');
    expect([code, err]).toEqual([2, expect.stringContaining('--format: opencost cannot contain scenarios')]);
  });

  test('refuses several roots, whose nodes are not paid together', async () => {
    const kustomization = 'resources: [app.yaml]\n';
    const folder = newFolder({
      'a/kustomization.yaml': kustomization,
      'a/app.yaml': MANIFESTS,
      'b/kustomization.yaml': kustomization,
      'b/app.yaml': MANIFESTS,
    });
    const { code, err } = await run(['check', folder, '--cost-by', 'workload']);
    expect([code, err]).toEqual([2, expect.stringContaining('--cost-by: the input has 2 roots')]);
    expect((await run(['check', `${folder}/a`, '--cost-by', 'workload'])).out).toContain('Cost by workload');
  });
});

describe('diff', () => {
  const folder = newFolder({
    'before.yaml': MANIFESTS,
    'after.yaml': [...SETUP, deployment('batch', 1, 'cpu: 3, memory: 4Gi')].join('---\n'),
  });
  const sides = [`${folder}/before.yaml`, `${folder}/after.yaml`];

  test('lists who pays more or less by workload', async () => {
    const { out } = await run(['diff', ...sides]);
    expect(out).toMatch(/\nCost by workload, a month\n {2}default\/batch: - → \$\d+\.\d\d \(\+\$\d+\.\d\d\)\n/);
  });

  test('lists another dimension, and has a table in Markdown', async () => {
    const { out } = await run(['diff', ...sides, '--cost-by', 'label:app', '--format', 'markdown']);
    expect(out).toContain('<summary>Cost by label app, a month</summary>');
    expect(out).toMatch(/\| `batch` \| - \| \\\$\d+\.\d\d \| \+\\\$\d+\.\d\d \|/);
    expect((await run(['diff', ...sides, '--format', 'html'])).out).toContain('Cost by workload, a month');
  });
});

describe('--discount', () => {
  const verdictOf = async (...args: string[]) => JSON.parse((await checked('--format', 'json', ...args)).out);

  test('changes what is charged, and not what Karpenter launches', async () => {
    const [full, less] = [await verdictOf(), await verdictOf('--discount', 'family=m5:0.25')];
    expect(less.summary.cost).toMatchObject({ usdPerHour: 0.144, lowerBoundUsdPerHour: 0.144 });
    expect(less.settled.usdPerHour.median).toBeCloseTo(0.75 * full.settled.usdPerHour.median, 6);
    expect(less.nodeClaims[0].launch.cheapest).toMatchObject({ usdPerHour: 0.192, billedPerHour: 0.144 });
    expect(less.nodeClaims.map(({ launch }: any) => launch.instanceTypes)).toEqual(
      full.nodeClaims.map(({ launch }: any) => launch.instanceTypes),
    );
  });

  test('changes the prices of scenarios as well', async () => {
    const { scenarios } = await verdictOf('--discount', 'family=m5:0.25', '--scenario', 'drift');
    expect(JSON.stringify(scenarios)).toContain('"usdPerHour":0.144');
  });

  test('refuses an unknown family, and what is no share', async () => {
    const errorOf = async (text: string) => (await checked('--discount', text)).err;
    expect(await errorOf('family=m55:0.1')).toContain('--discount: no instance type has the family "m55"');
    for (const text of ['family=m5', 'family=m5:0', 'family=m5:1.5', 'family=m5:-2'])
      expect(await errorOf(text)).toContain('is not a family and a share; write for example family=m7g:0.28');
    for (const text of ['m5:0.28', 'family=m5:28', 'family=m5:28%', 'family=M5:0,28', 'family=m5.large:.28'])
      expect(await errorOf(text)).toContain('is not a family and a share; write family=m5:0.28');
    const twice = await checked('--discount', 'family=m5:0.2', '--discount', 'family=m5:0.3');
    expect(twice.err).toContain('--discount: m5 has two shares, 0.2 and 0.3; write one');
  });
});
