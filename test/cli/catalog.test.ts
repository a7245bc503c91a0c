/**
 * Mocks a module.
 *
 * @jest-environment node
 */
import { join } from 'path';
import { folderOf, run } from './run';
import { accountCatalogText } from '../../src/catalog/account';
import { madeCatalog } from '../catalog/account/answers';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

jest.mock('@aws-sdk/client-ec2', () => {
  throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
});

const TEXT = accountCatalogText(madeCatalog());
const MANIFESTS = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)].join('---\n');
const folder = folderOf({
  'account.json': TEXT,
  'cut.json': TEXT.slice(0, 900),
  'all.yaml': MANIFESTS,
  'zoned.yaml': MANIFESTS.replace(
    'requirements:',
    'requirements:\n      - { key: topology.kubernetes.io/zone, operator: In, values: [eu-west-1a, eu-west-1d] }',
  ),
  'more.yaml': MANIFESTS.replace('replicas: 1', 'replicas: 9'),
  'roots/a/kustomization.yaml': 'resources: [all.yaml]\n',
  'roots/a/all.yaml': MANIFESTS,
  'roots/b/kustomization.yaml': 'resources: [all.yaml]\n',
  'roots/b/all.yaml': MANIFESTS,
  'cluster.yaml':
    'apiVersion: v1\nkind: Node\nmetadata: { name: node-1, labels: { topology.kubernetes.io/region: eu-central-1, topology.kubernetes.io/zone: eu-central-1a } }\n',
  '.git/HEAD': '',
  'project/karpenter-constructs.yaml': 'flags: { catalog: [../account.json] }\n',
  'project/all.yaml': MANIFESTS,
});
const path = (name: string) => join(folder, name);
const check = (...args: string[]) => run(['check', path('all.yaml'), '--catalog', path('account.json'), ...args]);
const MADE = 'instance types, zones and prices are from the catalogue of your account for eu-west-1, made 2026-11-20';

describe('--catalog', () => {
  test('gives check the region, zones and prices of the account', async () => {
    const { code, out, err } = await check('--format', 'json');
    const { nodeClaims, summary, assumptions } = JSON.parse(out);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(nodeClaims[0].launch.cheapest).toMatchObject({ instanceType: 'm5.large', usdPerHour: 0.11 });
    expect(nodeClaims[0].launch.cheapest.zone).toMatch(/^eu-west-1/);
    expect(summary.cost).toMatchObject({
      currency: 'USD',
      prices: [{ kind: 'published', date: '2026-11-20', nodes: 1 }],
    });
    expect(assumptions).toContain(MADE);
  });

  test.each(['text', 'markdown', 'html', 'json', 'sarif'])('has its date in the report as %s', async (format) => {
    expect((await check('--format', format)).out.replace(/\s+/g, ' ')).toContain('made 2026-11-20');
  });

  test.each([
    ['explain', ['explain', path('all.yaml'), '--pod', 'web', '--catalog', path('account.json')], 'made 2026-11-20'],
    ['diff', ['diff', path('all.yaml'), path('more.yaml'), '--catalog', path('account.json')], 'made 2026-11-20'],
    ['check of several roots', ['check', path('roots'), '--catalog', path('account.json')], 'made 2026-11-20'],
    [
      'check of several roots as Markdown',
      ['check', path('roots'), '--catalog', path('account.json'), '--format', 'markdown'],
      'made 2026-11-20',
    ],
    ['instance-types', ['instance-types', '--catalog', path('account.json')], 'made 2026-11-20'],
    [
      'instance-types of a NodePool',
      ['instance-types', path('all.yaml'), '--catalog', path('account.json')],
      'made 2026-11-20',
    ],
    [
      'a scenario',
      ['check', path('all.yaml'), '--catalog', path('account.json'), '--scenario', 'drift'],
      'made 2026-11-20',
    ],
  ])('is used by %s, with its date', async (_, args, date) => {
    const { out, err } = await run(args);
    expect(err).toBe('');
    expect(out.replace(/\s+/g, ' ')).toContain(date);
  });

  test('can be set in karpenter-constructs.yaml, relative to that file', async () => {
    expect((await run(['check', path('project/all.yaml')])).out.replace(/\s+/g, ' ')).toContain('made 2026-11-20');
  });

  test('makes a zone that the account does not have a finding at its line', async () => {
    const { out } = await run(['check', path('zoned.yaml'), '--catalog', path('account.json')]);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /requires eu-west-1d, which does not exist \(eu-west-1 has eu-west-1a, eu-west-1b and eu-west-1c\)/,
    );
  });

  test.each([
    [
      'is cut off',
      ['--catalog', path('cut.json')],
      `${path('cut.json')}: is cut off; make the file again with karpenter-constructs catalog update --region eu-west-1`,
    ],
    [
      'is missing',
      ['--catalog', path('missing.json')],
      `${path('missing.json')}: cannot be read, ENOENT: no such file or directory, stat '${path('missing.json')}'; name a file that karpenter-constructs catalog update has written`,
    ],
    [
      'is of another region',
      ['--catalog', path('account.json'), '--region', 'eu-central-1'],
      'the catalogue is of eu-west-1, but the cluster is in eu-central-1; make one with karpenter-constructs catalog update --region eu-central-1',
    ],
    [
      'is of another region than the cluster',
      ['--catalog', path('account.json'), '--cluster', path('cluster.yaml')],
      'the catalogue is of eu-west-1, but the cluster is in eu-central-1; make one with karpenter-constructs catalog update --region eu-central-1',
    ],
    [
      'is given twice',
      ['--catalog', path('account.json'), '--catalog', path('account.json')],
      `--catalog: "${path('account.json')}" is the second catalogue of eu-west-1; name one for each region`,
    ],
    [
      'lacks a given zone',
      ['--catalog', path('account.json'), '--zones', 'eu-west-1a,eu-west-1d=euw1-az9'],
      'the catalogue of eu-west-1 of 2026-11-20 has no zone eu-west-1d, only eu-west-1a, eu-west-1b, eu-west-1c; name zones of that account, or make the catalogue again',
    ],
    [
      'is of another account',
      ['--catalog', path('account.json'), '--zones', 'eu-west-1a=euw1-az1'],
      "the catalogue of eu-west-1 of 2026-11-20 is of another account: its eu-west-1a is euw1-az3, not euw1-az1; make one with karpenter-constructs catalog update --region eu-west-1, with credentials of the cluster's account",
    ],
  ])('is refused if it %s', async (_, args, message) => {
    expect(await run(['check', path('all.yaml'), ...args])).toEqual({ code: 2, out: '', err: `error: ${message}\n` });
  });
});

describe('catalog update', () => {
  test('names the packages to install if the AWS SDK is missing', async () => {
    expect(await run(['catalog', 'update', '--region', 'eu-west-1'])).toEqual({
      code: 2,
      out: '',
      err:
        'error: catalog update: the AWS SDK is not installed; run npm install --save-dev @aws-sdk/client-ec2 @aws-sdk/client-pricing, ' +
        'or the same with --global if karpenter-constructs is installed globally\n',
    });
  });

  test.each([
    [['--region', 'eu-west-9'], 'error: --region: "eu-west-9" is not an AWS region; did you mean eu-west-1?\n'],
    [['--region', 'eu-west-1,eu-west-1a'], 'error: --region: "eu-west-1a" is a zone, not a region; write eu-west-1\n'],
    [['--region', ','], 'error: --region: names no region; write for example eu-west-1\n'],
    [[], "error: required option '--region <region...>' not specified\n(run with --help for usage)\n"],
  ])('refuses %j', async (args, err) => {
    expect(await run(['catalog', 'update', ...args])).toEqual({ code: 2, out: '', err });
  });

  test('lists the actions that it needs', async () => {
    const { out } = await run(['catalog', 'update', '--help']);
    expect(out.match(/^ {2}(ec2|pricing):\w+$/gm)).toEqual([
      '  ec2:DescribeAvailabilityZones',
      '  ec2:DescribeInstanceTypes',
      '  ec2:DescribeInstanceTypeOfferings',
      '  ec2:DescribeSpotPriceHistory',
      '  pricing:GetProducts',
    ]);
  });
});
