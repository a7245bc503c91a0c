import { mkdirSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from './run';
import { SourceFileReader } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 1, SMALL);
const ARGO = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\n';
const FLUX = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n';

/** Runs `check` on the files, and expects a result with a verdict on the good file. */
async function checked(files: Readonly<Record<string, string>>, ...options: string[]) {
  const folder = newFolder({ 'good/pools.yaml': POOLS, 'good/web.yaml': WEB, ...files });
  const result = await run(['check', folder, '--no-helm', '--no-kustomize', ...options]);
  expect(result.err + result.out).not.toContain('internal error');
  return result;
}

describe('a value of another type than expected', () => {
  test.each<[string, Record<string, string>]>([
    ['kind {}', { 'odd.yaml': 'apiVersion: v1\nkind: {}\n' }],
    ['apiVersion {}', { 'odd.yaml': 'apiVersion: {}\nkind: Deployment\n' }],
    ['a list of mappings as kind', { 'odd.yaml': 'apiVersion: apps/v1\nkind: [{ a: b }]\n' }],
    [
      'lists and mappings as names of a kustomization',
      {
        'base/kustomization.yaml':
          'resources: [[{}], {}, ../good/web.yaml]\nnamePrefix: {}\nnamespace: [{}]\nimages: [{ name: {}, newTag: [{}] }]\nreplicas: [{ name: [{}], count: {} }]\npatches: [{ target: { kind: {}, name: [{}] }, patch: "[]" }]\nconfigMapGenerator: [{ name: {} }, []]\n',
      },
    ],
    [
      'lists as names of an Application',
      {
        'app.yaml': `${ARGO}metadata: { name: [a] }\nspec: { source: { path: good, repoURL: {} }, destination: { name: [{}], namespace: {} } }\n`,
      },
    ],
    [
      'mappings as elements of an ApplicationSet',
      {
        'set.yaml':
          'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec: { generators: [{ list: { elements: [{ to: [{}] }] } }], template: { spec: { source: { path: good }, destination: { name: "{{to}}" } } } }\n',
      },
    ],
    [
      'lists as names of a Kustomization of Flux',
      {
        'flux.yaml': `${FLUX}metadata: { name: [{}] }\nspec: { path: ./good, sourceRef: { kind: GitRepository, name: {} }, postBuild: { substituteFrom: [{ kind: [{}], name: {} }] } }\n`,
      },
    ],
    [
      'a mapping as the name of a GitRepository',
      {
        'flux.yaml':
          'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: {} }\nspec: { url: {} }\n',
      },
    ],
  ])('%s does not end the run', async (_, files) => {
    expect((await checked(files)).out).toContain('pod');
  });

  test.each([
    ['a chart version that is a range', { Version: '~1.8.0' }],
    ['a chart version that is a list', { Version: [{}] }],
    ['a cluster name that is a list', { ClusterName: [{ Ref: 'x' }, {}] }],
    ['a cluster name that is a mapping', { ClusterName: { a: {} } }],
    ['values that are a list', { Values: [{}] }],
  ])('%s does not end the run', async (_, changes) => {
    const template = {
      Resources: {
        Chart: {
          Type: 'Custom::AWSCDK-EKS-HelmChart',
          Properties: {
            ClusterName: 'main',
            Release: 'karpenter',
            Chart: 'karpenter',
            Version: '1.8.0',
            Values: '{}',
            ...changes,
          },
        },
        Other: {
          Type: 'Custom::AWSCDK-EKS-KubernetesResource',
          Properties: { ClusterName: 'main', Manifest: '[]' },
        },
      },
    };
    await checked({ 'App.template.json': JSON.stringify(template) });
  });

  test('a size of a node group that is a mapping does not end the run', async () => {
    const ScalingConfig = { MinSize: { a: {} } };
    const Properties = { ClusterName: 'main', NodeRole: 'node', Subnets: ['a'], ScalingConfig };
    const Resources = { Nodes: { Type: 'AWS::EKS::Nodegroup', Properties } };
    await checked({ 'App.template.json': JSON.stringify({ Resources }) });
  });
});

test('a .gitignore that is a folder names nothing', async () => {
  const folder = newFolder({ 'pools.yaml': POOLS, 'web.yaml': WEB });
  mkdirSync(join(folder, '.gitignore'));
  const { code, err } = await run(['check', folder]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test.each([
  ['an alias without anchor', 'settings: *missing\n'],
  ['an alias without anchor inside', 'settings: { clusterName: *missing }\n'],
  [
    'an alias bomb',
    `settings:\n  a: &a [${'x,'.repeat(50)}]\n${'abcdefgh'
      .split('')
      .map((name, index, names) => (index === 0 ? '' : `  ${name}: &${name} [${`*${names[index - 1]},`.repeat(50)}]\n`))
      .join('')}`,
  ],
])('refuses --settings with %s, in one line', async (_, text) => {
  const folder = newFolder({ 'all.yaml': POOLS, 'values.yaml': text });
  const { code, err } = await run(['check', join(folder, 'all.yaml'), '--settings', join(folder, 'values.yaml')]);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: .*values\.yaml.*\n$/);
  expect(err).not.toContain('internal error');
});

test.each([
  ['an alias without anchor', 'flags: *missing\n'],
  [
    'an alias bomb',
    `flags:\n  a: &a [${'x,'.repeat(50)}]\n  b: &b [${'*a,'.repeat(50)}]\n  region: [${'*b,'.repeat(50)}]\n`,
  ],
])('refuses karpenter-constructs.yaml with %s, in one line', async (_, text) => {
  const folder = newFolder({ 'all.yaml': POOLS, 'karpenter-constructs.yaml': text });
  const { code, err } = await run(['check', folder]);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: .*karpenter-constructs\.yaml.*\n$/);
  expect(err).not.toContain('internal error');
});

test('writes SARIF for a chart that is not rendered', async () => {
  const folder = newFolder({
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/a.yaml': 'a: {{ .Values.a }}\n',
  });
  const { code, out, err } = await run(['check', folder, '--no-helm', '--format', 'sarif']);
  expect(code).toBe(2);
  expect(err).not.toContain('internal error');
  const [{ invocations }] = JSON.parse(out).runs;
  expect(JSON.stringify(invocations)).toContain('not rendered, because of --no-helm');
});

test('reads at most 64 MiB of files, and names the first one that is not read', () => {
  const large = ' '.repeat(15 * 1024 * 1024);
  const folder = newFolder(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.yaml`, large])));
  const reader = new SourceFileReader();
  reader.read(folder);
  expect(reader.files.map(({ path, unreadable }) => [path, unreadable === undefined])).toEqual([
    ...['a', 'b', 'c', 'd'].map((name) => [`${folder}/${name}.yaml`, true]),
    [`${folder}/e.yaml`, false],
  ]);
  expect(reader.files[4].unreadable!.message).toContain('larger than 64 MiB');
});

describe('a file above 16 MiB in a folder', () => {
  const filler = `# ${'x'.repeat(16 * 1024 * 1024)}\n`;

  test('is an error if it begins like a manifest', async () => {
    const { code, out } = await checked({ 'large.yaml': WEB + filler });
    expect(code).toBe(1);
    expect(out).toMatch(/too large: 16\.0 MiB.*large\.yaml:1:1/s);
  });

  test('is an info if it begins like other data', async () => {
    const { code, out } = await checked({ 'good/large.yaml': `table:\n${filler}` }, '--format', 'json');
    expect(code).toBe(0);
    const { findings } = JSON.parse(out) as { findings: Array<{ severity: string; rule: string; message: string }> };
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'KARP-001', severity: 'info', message: expect.stringContaining('too large') }),
    );
  });
});
