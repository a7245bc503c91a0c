import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { basename, dirname, join } from 'path';
import { run } from './run';
import type { Verdict } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const kustomization = (content: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${content}`;

interface RootResult {
  readonly name: string;
  readonly kind: string;
  readonly notes: string[];
  readonly skipped?: string;
  readonly verdict?: Pick<Verdict, 'summary' | 'nodeClaims' | 'findings'>;
}

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'roots-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function rootsOf(files: Readonly<Record<string, string>>, ...options: string[]) {
  const folder = folderOf(files);
  const { out } = await run(['check', folder, '--format', 'json', '--no-helm', '--no-kustomize', ...options]);
  const result = JSON.parse(out) as { roots?: RootResult[] };
  return { roots: (result.roots ?? []).map((root) => ({ ...root, name: root.name.replace(`${folder}/`, '') })) };
}

test('one root by its name has the verdict that it has among all roots: others name the region', async () => {
  const arn = 'arn:aws:sqs:eu-west-1:123456789012:queue';
  const folder = folderOf({
    'pools/kustomization.yaml': kustomization('resources: [pools.yaml]\n'),
    'pools/pools.yaml': POOLS,
    'apps/a/kustomization.yaml': kustomization('resources: [web.yaml]\n'),
    'apps/a/web.yaml': deployment('web', 1, SMALL).replace(
      'resources:',
      `env: [{ name: QUEUE, value: "${arn}" }], resources:`,
    ),
    'apps/b/kustomization.yaml': kustomization('resources: [api.yaml]\n'),
    'apps/b/api.yaml': deployment('api', 1, SMALL),
  });
  const resultOf = async (...args: string[]) =>
    JSON.parse((await run(['check', folder, '--format', 'json', '--no-kustomize', ...args])).out);
  const { roots } = await resultOf();
  const { verdict } = roots.find(({ name }: RootResult) => name.endsWith('apps/b'));
  expect(verdict.nodes[0].zone).toMatch(/^eu-west-1/);
  expect((await resultOf('--root', 'apps/b')).summary.cost).toEqual(verdict.summary.cost);
});

describe('a folder with overlays', () => {
  const files = {
    'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
    'base/web.yaml': deployment('web', 1, SMALL),
    'base/pools.yaml': POOLS,
    'overlays/dev/kustomization.yaml': kustomization('resources: [../../base]\nnamespace: dev\n'),
    'overlays/prod/kustomization.yaml': kustomization(
      'resources: [../../base]\nnamespace: prod\nreplicas: [{ name: web, count: 3 }]\npatches: [{ path: patch.yaml }]\n',
    ),
    'overlays/prod/patch.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { containers: [{ name: main, resources: { requests: { cpu: 1500m } } }] } } }\n',
  };

  let judged: RootResult[];
  beforeAll(async () => {
    ({ roots: judged } = await rootsOf(files));
  });

  test('judges each overlay that no other one uses, without duplicates', () => {
    expect(judged.map(({ name, kind }) => [name, kind])).toEqual([
      ['overlays/dev', 'kustomization'],
      ['overlays/prod', 'kustomization'],
    ]);
    expect(judged.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-002'))).toEqual([]);
  });

  test('applies namespaces, replicas and patches', () => {
    expect(judged[0].verdict!.nodeClaims.flatMap(({ pods }) => pods)).toEqual(['dev/web-0']);
    expect(judged[1].verdict!.nodeClaims.map(({ pods }) => pods)).toEqual([
      ['prod/web-0'],
      ['prod/web-1'],
      ['prod/web-2'],
    ]);
  });

  test('prints a line for each root, with names below their common folder', async () => {
    const { out, code } = await run(['check', folderOf(files)]);
    expect(code).toBe(0);
    expect(out).toMatch(/^2 roots are deployed separately\.\n/);
    expect(out).toMatch(
      /^ROOT +PODS +NODES +PER MONTH +ERRORS +WARNINGS\ndev +1 +1 +\$\d+ +0 +\d+\nprod +3 +3 +\$\d+ +0 +\d+\n/m,
    );
  });

  test('prints the whole verdict of each root with --each', async () => {
    const { out } = await run(['check', folderOf(files), '--each']);
    expect(out).toMatch(/^== .*overlays\/dev ==\nThe pod fits on 1 node/);
    expect(out).toMatch(/^== .*overlays\/prod ==\nAll 3 pods fit on 3 nodes/m);
  });

  test('prints Markdown and SARIF of all roots', async () => {
    const folder = folderOf(files);
    expect((await run(['check', folder, '--format', 'markdown'])).out).toMatch(/^## 2 roots are deployed separately\n/);
    expect(JSON.parse((await run(['check', folder, '--format', 'sarif'])).out).runs).toHaveLength(1);
  });

  test('simulates scenarios on each root, and prints what all simulations assume once', async () => {
    const folder = folderOf(files);
    const { out } = await run(['check', folder, '--scenario', 'consolidation']);
    expect(out).toMatch(/\n== dev ==\nconsolidation: [^]*\n== prod ==\nconsolidation: /);
    expect(out.match(/the simulation starts at/g)).toHaveLength(1);
    const { roots } = JSON.parse((await run(['check', folder, '--scenario', 'drift', '--format', 'json'])).out);
    expect(roots.map(({ verdict }: { verdict: object }) => verdict)).toMatchObject([
      { scenarios: { reports: [{ workloads: [{ workload: 'Deployment dev/web' }] }] } },
      { scenarios: { reports: [{ workloads: [{ workload: 'Deployment prod/web' }] }] } },
    ]);
  });

  test('refuses --scenario for formats with one root, and says how to choose it', async () => {
    const { code, err } = await run(['check', folderOf(files), '--scenario', 'drift', '--format', 'html']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /the input has 2 roots that are deployed separately; choose one with --root, such as --root dev \(also prod\)/,
    );
  });

  test('makes one HTML page, with the report on each root folded', async () => {
    const { code, out } = await run(['check', folderOf(files), '--format', 'html']);
    expect(code).toBe(0);
    expect(out).toMatch(/<h1>2 roots are deployed separately<\/h1>/);
    expect(out.match(/<summary>(dev|prod)<\/summary>/g)).toEqual(['<summary>dev</summary>', '<summary>prod</summary>']);
    expect(out).toContain('All 3 pods fit');
  });

  test('judges only the root of --root, as one verdict with all formats and scenarios', async () => {
    const folder = folderOf(files);
    for (const name of ['prod', 'overlays/prod', `${folder}/overlays/prod/`]) {
      const { out } = await run(['check', folder, '--root', name, '--format', 'json', '--scenario', 'drift']);
      expect(JSON.parse(out)).toMatchObject({
        summary: { scheduledPods: 3 },
        scenarios: { reports: [{ workloads: [{ workload: 'Deployment prod/web' }] }] },
      });
    }
    expect((await run(['check', folder, '--root', 'prod', '--root', 'dev'])).out).toMatch(
      /^2 roots are deployed separately/,
    );
  });

  test('refuses a --root that is not there, with the nearest name', async () => {
    expect(await run(['check', folderOf(files), '--root', 'prd'])).toEqual({
      code: 2,
      out: '',
      err: 'error: --root: the input has no root "prd"; did you mean "prod"?\n',
    });
  });

  test('takes the root from karpenter-constructs.yaml', async () => {
    const folder = folderOf({ ...files, 'karpenter-constructs.yaml': 'flags: { root: [dev] }' });
    expect(JSON.parse((await run(['check', folder, '--format', 'json'])).out).summary.pods).toBe(1);
  });
});

test('with --fail-on unevaluated, a pod that is not evaluated in any root exits with 1', async () => {
  const folder = folderOf({
    'a/all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'b/all.yaml': `${POOLS}---\n${deployment('web', 2, SMALL)}`,
  });
  expect((await run(['check', folder, '--fail-on', 'unevaluated'])).code).toBe(0);
  writeFileSync(
    join(folder, 'b/all.yaml'),
    `${POOLS}---\n${deployment('web', 1, SMALL)}---\n${deployment('zoned', 1, SMALL).replace('containers:', 'nodeSelector: { topology.k8s.aws/zone-id: use1-az1 }\n      containers:')}`,
  );
  expect((await run(['check', folder, '--fail-on', 'unevaluated'])).code).toBe(1);
});

test('a single kustomization is built and judged as one verdict', async () => {
  const folder = folderOf({
    'kustomization.yaml': kustomization('resources: [all.yaml]\nreplicas: [{ name: web, count: 2 }]\n'),
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
  });
  expect(JSON.parse((await run(['check', folder, '--format', 'json'])).out).summary).toMatchObject({
    pods: 2,
    scheduledPods: 2,
  });
});

test('prefixes, suffixes and labels change names, selectors and pods', async () => {
  const { roots } = await rootsOf({
    'pools/all.yaml': POOLS,
    'a/kustomization.yaml': kustomization(
      'resources: [web.yaml]\nnamePrefix: eu-\nnameSuffix: -v2\ncommonLabels: { stage: prod }\n',
    ),
    'a/web.yaml': deployment('web', 1, SMALL),
    'b/web.yaml': deployment('web', 1, SMALL),
  });
  expect(roots.flatMap(({ verdict }) => verdict!.nodeClaims.flatMap(({ pods }) => pods))).toEqual([
    'default/eu-web-v2-0',
    'default/web-0',
  ]);
  expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-100'))).toEqual([]);
});

test('common labels make the selector of a workload that has none', async () => {
  const { roots } = await rootsOf({
    'a/kustomization.yaml': kustomization('resources: [web.yaml]\ncommonLabels: { app: web }\n'),
    'a/web.yaml': deployment('web', 1, SMALL).replace(/ {2}selector: .*\n/, ''),
    'b/web.yaml': deployment('web', 1, SMALL),
  });
  expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-100'))).toEqual([]);
});

describe('a patch that no kustomization uses', () => {
  const files = {
    'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
    'base/web.yaml': deployment('web', 1, SMALL),
    'base/pools.yaml': POOLS,
    'overlays/dev/kustomization.yaml': kustomization('resources: [../../base]\nnamespace: dev\n'),
    'overlays/prod/kustomization.yaml': kustomization(
      'resources: [../../base]\nnamespace: prod\n#patches: [{ path: patches/spread.yaml }]\n',
    ),
    'overlays/prod/patches/spread.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { priorityClassName: high } } }\n',
  };

  test('is not judged, and is named in a note on the kustomization beside it', async () => {
    const { roots } = await rootsOf(files);
    expect(roots.map(({ name, notes }) => [name, notes])).toEqual([
      ['overlays/dev', []],
      [
        'overlays/prod',
        [
          expect.stringMatching(
            /^not judged: .*\/overlays\/prod\/patches\/spread\.yaml is a patch that no kustomization uses$/,
          ),
        ],
      ],
    ]);
    expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-100'))).toEqual([]);
  });

  test('is judged if it defines a whole object', async () => {
    const { roots } = await rootsOf({ ...files, 'overlays/prod/patches/spread.yaml': deployment('other', 1, SMALL) });
    expect(roots.map(({ name }) => name)).toEqual(['overlays/dev', 'overlays/prod', 'overlays/prod/patches']);
  });

  test('is judged if it only lacks a selector, and no kustomization is in its folder or around it', async () => {
    const noSelector = deployment('web', 1, SMALL)
      .replace(/ {2}selector: .*\n/, '')
      .replace('{ name: main', '{ name: main, image: web');
    const { roots } = await rootsOf({ ...files, 'other/spread.yaml': noSelector });
    expect(roots[2].verdict!.findings.filter(({ rule }) => rule === 'KARP-100')).toHaveLength(1);
  });
});

describe('overlays of one base', () => {
  const files = {
    'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
    'base/web.yaml': deployment('web', 1, SMALL),
    'base/pools.yaml': POOLS.replace(/al2023@v\w+/, 'al2023@latest').replace('[on-demand]', '[spot]'),
    ...Object.fromEntries(
      ['east', 'west', 'dev'].map((name) => [
        `overlays/${name}/kustomization.yaml`,
        kustomization(`resources: [../../base]\nnamespace: ${name}\n`),
      ]),
    ),
  };
  const warnings = async (folder: string) =>
    JSON.parse((await run(['check', folder, '--format', 'sarif', '--no-helm', '--no-kustomize'])).out)
      .runs[0].results.map(
        ({ ruleId, level, message }: { ruleId: string; level: string; message: { text: string } }) => [
          ruleId,
          level,
          /\d+ more roots? ha\w+ this finding/.exec(message.text)?.[0],
        ],
      )
      .filter(([rule]: [string]) => ['KARP-401', 'KARP-905'].includes(rule));

  test('have one finding for the same fact, and only a note in an overlay for development', async () => {
    expect(await warnings(folderOf(files))).toEqual([
      ['KARP-905', 'warning', undefined],
      ['KARP-401', 'note', undefined],
      ['KARP-401', 'warning', '1 more root has this finding'],
    ]);
  });

  test('are not for development because of a folder around the input', async () => {
    const folder = folderOf(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`dev/${path.replace('overlays/dev', 'overlays/north')}`, text]),
      ),
    );
    expect(await warnings(join(folder, 'dev'))).toContainEqual([
      'KARP-401',
      'warning',
      '2 more roots have this finding',
    ]);
  });
});

test('many charts that are not rendered are one note, and no rows', async () => {
  const charts = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`charts/${name}/Chart.yaml`, `name: ${name}\n`]),
  );
  const folder = folderOf({
    ...charts,
    'east/web.yaml': deployment('web', 1, SMALL),
    'west/web.yaml': deployment('web', 1, SMALL),
  });
  const { out } = await run(['check', folder, '--no-helm', '--no-kustomize']);
  expect(out).toContain('  4 roots (charts/a, charts/b and 2 more): not rendered, because of --no-helm\n');
  expect(out).not.toContain('charts/c');
  expect((await run(['check', folder, '--no-helm', '--no-kustomize', '--verbose'])).out).toMatch(/^charts\/c +- +-/m);
});

test('the headline says how many roots are not judged', async () => {
  const charts = { 'charts/a/Chart.yaml': 'name: a\n', 'charts/b/Chart.yaml': 'name: b\n' };
  const some = folderOf({ ...charts, 'web.yaml': deployment('web', 1, SMALL) });
  expect((await run(['check', some, '--no-helm'])).out).toMatch(
    /^3 roots are deployed separately, 2 of them are not judged\.\nno errors, 1 warning/,
  );
  expect((await run(['check', some, '--no-helm', '--format', 'markdown'])).out).toMatch(
    /^## 3 roots are deployed separately, 2 of them are not judged\n/,
  );
  const { out, code } = await run(['check', folderOf(charts), '--no-helm']);
  expect(out).toMatch(/^None of the 2 roots is judged\.\n\nROOT/);
  expect(code).toBe(2);
});

test('a file that is named like a patch, and lacks what an object needs, is not judged', async () => {
  const nodeClass =
    'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: default }\nspec: { role: a, subnetSelectorTerms: [{ tags: { a: b } }] }\n';
  const { roots } = await rootsOf({
    'a/web.yaml': deployment('web', 1, SMALL),
    'b/patch-class-cdk.yaml': nodeClass,
    'b/web.yaml': deployment('web', 2, SMALL),
  });
  expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-100'))).toEqual([]);
  expect(roots.flatMap(({ notes }) => notes)).toContainEqual(
    expect.stringMatching(/^not judged: \S+b\/patch-class-cdk.yaml has a patch, or a part of an object: /),
  );
});

describe('a part of an object', () => {
  const replicas = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 5 }\n';
  const removal = '$patch: delete\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: old }\n';

  test.each([
    ['without selector and template', replicas],
    ['without selector and images', deployment('web', 1, SMALL).replace(/ {2}selector: .*\n/, '')],
    ['that is a directive to delete', removal],
    [
      'of a NodePool without template',
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: a }\nspec: { weight: 9 }\n',
    ],
  ])('%s is not judged, and is named in one note', async (_, part) => {
    const { roots } = await rootsOf({
      'a/web.yaml': deployment('web', 2, SMALL),
      'b/web.yaml': deployment('web', 2, SMALL),
      'c/one.yaml': part,
      'c/two.yaml': [part, deployment('api', 1, SMALL)].join('---\n'),
    });
    expect(roots.map(({ name, verdict }) => [name, verdict!.summary.pods])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ]);
    expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-100'))).toEqual([]);
    expect(roots.flatMap(({ notes }) => notes)).toEqual([
      expect.stringMatching(/^not judged: \S+c\/one.yaml and \S+c\/two.yaml have patches, or parts of objects: /),
    ]);
  });

  test('is no input alone', async () => {
    const { code, err } = await run(['check', folderOf({ 'patches/web.yaml': replicas }), '--no-kustomize']);
    expect(code).toBe(2);
    expect(err).toContain('nothing to evaluate');
    expect(err).toMatch(/^note: not judged: \S+web.yaml has a patch/m);
  });
});

test('a Job of Volcano makes a root, as a Job of Kubernetes does', async () => {
  const volcano =
    'apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: { name: train }\nspec: { minAvailable: 1 }\n';
  const { roots } = await rootsOf({
    'a/web.yaml': deployment('web', 1, SMALL),
    'b/web.yaml': deployment('web', 1, SMALL),
    'c/one.yaml': volcano,
    'd/two.yaml': volcano,
  });
  expect(roots.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
});

test('names what a kustomization has that is not built', async () => {
  const { roots } = await rootsOf({
    'a/kustomization.yaml': kustomization(
      'resources: [web.yaml, "https://example.com/x.yaml"]\nhelmCharts: [{ name: redis }]\n',
    ),
    'a/web.yaml': deployment('web', 1, SMALL),
    'b/web.yaml': deployment('web', 1, SMALL),
  });
  expect(roots[0].notes).toEqual([
    expect.stringMatching(/^not built: helmCharts of .*\/a$/),
    'not built: a remote base (https://example.com/x.yaml)',
  ]);
});

test('components edit what their user has', async () => {
  const component =
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n  - target: { kind: Deployment, name: web }\n    patch: |-\n      - { op: replace, path: /spec/replicas, value: 4 }\n';
  const { roots } = await rootsOf({
    'a/kustomization.yaml': kustomization('resources: [web.yaml]\ncomponents: [../scaled]\n'),
    'a/web.yaml': deployment('web', 1, SMALL),
    'scaled/kustomization.yaml': component,
    'b/web.yaml': deployment('web', 1, SMALL),
  });
  expect(roots.map(({ name, verdict }) => [name, verdict!.summary.pods])).toEqual([
    ['a', 4],
    ['b', 1],
  ]);
});

test('folders that define the same object are variants', async () => {
  const { roots } = await rootsOf({
    'one/all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'two/all.yaml': `${POOLS}---\n${deployment('web', 2, SMALL)}`,
  });
  expect(roots.map(({ name, verdict }) => [name, verdict!.summary.pods, verdict!.nodeClaims.length])).toEqual([
    ['one', 1, 1],
    ['two', 2, 1],
  ]);
});

test('files of one folder that define the same objects are variants, each with the other files of the folder', async () => {
  const { roots } = await rootsOf({
    'a/pools.yaml': POOLS,
    'a/small.yaml': deployment('web', 1, SMALL),
    'a/large.yaml': deployment('web', 2, SMALL),
  });
  expect(roots.map(({ name, verdict }) => [name, verdict!.summary.scheduledPods])).toEqual([
    ['a/large.yaml', 2],
    ['a/small.yaml', 1],
  ]);
  expect(roots.flatMap(({ verdict }) => verdict!.findings.filter(({ rule }) => rule === 'KARP-002'))).toEqual([]);
});

test('a copied file whose object has the name of the original is no variant, and gets the name of the file', async () => {
  const { roots } = await rootsOf({
    'k/kustomization.yaml': kustomization('resources: [job.yaml]\n'),
    'k/job.yaml': deployment('job', 1, SMALL),
    'a/pools.yaml': POOLS,
    'a/api.yaml': deployment('api', 1, SMALL),
    'a/web.yaml': deployment('web', 1, SMALL),
    'a/worker.yaml': deployment('web', 2, SMALL),
  });
  const { verdict } = roots.find(({ kind }) => kind === 'files')!;
  const [found, ...others] = verdict!.findings.filter(({ rule }) => rule === 'KARP-002');
  expect(found).toMatchObject({ severity: 'error', location: { path: 'metadata.name' }, remedy: 'write name: worker' });
  expect([basename(found.location.file), others, verdict!.summary.scheduledPods]).toEqual(['worker.yaml', [], 4]);
  expect(roots).toHaveLength(2);
});

test('a copied folder whose object has the name of the original is no root of its own', async () => {
  const { roots } = await rootsOf({
    'k/kustomization.yaml': kustomization('resources: [job.yaml]\n'),
    'k/job.yaml': deployment('job', 1, SMALL),
    'a/pools.yaml': POOLS,
    'a/api/app.yaml': deployment('api', 1, SMALL),
    'a/web/app.yaml': deployment('web', 1, SMALL),
    'a/worker/app.yaml': deployment('web', 2, SMALL),
  });
  const { verdict } = roots.find(({ kind }) => kind === 'files')!;
  expect(verdict!.findings.flatMap(({ rule, remedy }) => (rule === 'KARP-002' ? [remedy] : []))).toEqual([
    'write name: worker',
  ]);
  expect(roots).toHaveLength(2);
});

test('a root without NodePools gets those of the only root that has some', async () => {
  const { roots } = await rootsOf({
    'one/web.yaml': deployment('web', 1, SMALL),
    'two/web.yaml': deployment('web', 2, SMALL),
    'pools/all.yaml': POOLS,
  });
  expect(roots.map(({ name, notes, verdict }) => [name, verdict!.nodeClaims.length, notes.length])).toEqual([
    ['one', 1, 1],
    ['pools', 0, 0],
    ['two', 1, 1],
  ]);
  expect(roots[0].notes[0]).toMatch(/^with the NodePools of .*pools$/);
});

test('the first error stands in the first ten lines, whatever the number of roots', async () => {
  const web = deployment('web', 1, 'cpu: 900');
  const roots = Array.from({ length: 12 }, (_, index) => [`app-${index}/web.yaml`, web] as const);
  const { out } = await run([
    'check',
    folderOf({ ...Object.fromEntries(roots), 'pools/all.yaml': POOLS }),
    '--no-helm',
  ]);
  expect(out.split('\n').findIndex((line) => line.startsWith('error[KARP-301]'))).toBeLessThan(10);
});

test('roots without pods and findings are counted below the table', async () => {
  const empty = Array.from({ length: 5 }, (_, index) => [`crds-${index}/pool.yaml`, POOLS] as const);
  const { out } = await run([
    'check',
    folderOf({ ...Object.fromEntries(empty), 'crds-0/web.yaml': deployment('web', 1, SMALL) }),
  ]);
  expect(out).toMatch(/^4 more roots have no pods and no findings$/m);
});

test('a chart is one note, and its templates are not read', async () => {
  const { roots } = await rootsOf({
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: {{ .Values.name }} }\n',
    'plain/web.yaml': deployment('web', 1, SMALL),
  });
  expect(roots.map(({ name, kind, skipped }) => [name, kind, skipped])).toEqual([
    ['plain', 'files', undefined],
    ['chart', 'chart', 'not rendered, because of --no-helm'],
  ]);
});

test('a hook of a deployment is not in the plan', async () => {
  const hook = deployment('web', 1, SMALL).replace('name: web', 'name: web\n  annotations: { helm.sh/hook: test }');
  expect(JSON.parse((await run(['check', '-', '--format', 'json'], `${POOLS}---\n${hook}`)).out).summary.pods).toBe(0);
});

test('files and folders that git ignores are not read', async () => {
  const folder = folderOf({
    '.gitignore': 'out/\n*.tmp.yaml\n',
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'out/all.yaml': deployment('old', 1, SMALL),
    'a.tmp.yaml': deployment('tmp', 1, SMALL),
  });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), '');
  expect(JSON.parse((await run(['check', folder, '--format', 'json'])).out).summary.pods).toBe(1);
});

test('folders named testdata, and JSON and YAML without a type, are not mentioned', async () => {
  const folder = folderOf({
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'testdata/broken.yaml': 'apiVersion: v1\nkind: [',
    'package.json': '{ "name": "x" }',
    'list.json': '[1]',
    'compose.yaml': 'services: { a: {{ b }} }',
  });
  expect(
    JSON.parse((await run(['check', folder, '--format', 'json'])).out).findings.filter(
      ({ rule }: { rule: string }) => rule === 'KARP-001',
    ),
  ).toEqual([]);
});

test('prints with --verbose how many files are skipped, for each reason', async () => {
  const folder = folderOf({
    '.gitignore': 'out/\n*.tmp.yaml\n',
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'package.json': '{ "name": "x" }',
    'list.json': '[1]',
    'compose.yaml': 'a: {{ b }}',
    'out/web.yaml': '',
    'a.tmp.yaml': '',
    'testdata/web.yaml': '',
    '.github/ci.yaml': '',
    'readme.md': '',
  });
  mkdirSync(join(folder, '.git'));
  expect((await run(['check', folder, '--verbose'])).err).toBe(
    [
      'skipped: 3 files have no Kubernetes object',
      'skipped: 2 files and folders are named by .gitignore',
      'skipped: 3 folders are hidden, or called node_modules or testdata',
      '',
    ].join('\n'),
  );
  expect((await run(['check', folder])).err).toBe('');
});

test('a file that looks like a manifest and cannot be read is an error, and the rest is judged', async () => {
  const folder = folderOf({
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
    'broken.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: [\n',
  });
  const { code, out, err } = await run(['check', folder, '--format', 'json']);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(JSON.parse(out)).toMatchObject({ summary: { scheduledPods: 1 } });
  expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ rule: 'KARP-001', severity: 'error' }));
});

describe('instance-types of a repository', () => {
  const pools = (type: string) => [NODE_CLASS, nodePool([type])].join('---\n');

  test('lists the NodePools of each root', async () => {
    const folder = folderOf({ 'dev/all.yaml': pools('m5.large'), 'prod/all.yaml': pools('m5.xlarge') });
    const { code, out, err } = await run(['instance-types', folder]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^NodePool default of dev: 1 instance type\n[^]*\nNodePool default of prod: 1 instance type\n/);
    const listed = JSON.parse((await run(['instance-types', folder, '--nodepool', 'default', '--json'])).out) as Array<{
      name: string;
      nodePool: string;
      root: string;
    }>;
    expect(listed.map(({ nodePool: pool, root }) => [pool, root])).toEqual([
      ['default', 'dev'],
      ['default', 'prod'],
    ]);
    expect((await run(['instance-types', folder, '--root', 'prod'])).out).toMatch(
      /^NodePool default: 1 instance type\n/,
    );
  });

  test('names no root if only one has NodePools, and lists them once', async () => {
    const folder = folderOf({
      'pools/all.yaml': pools('m5.large'),
      'a/web.yaml': deployment('web', 1, SMALL),
      'b/web.yaml': deployment('web', 1, SMALL),
    });
    const { out } = await run(['instance-types', folder]);
    expect(out.match(/^NodePool .*$/gm)).toEqual(['NodePool default: 1 instance type']);
  });
});

describe('a kustomization that kustomize refuses', () => {
  const base = {
    'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
    'base/web.yaml': deployment('web', 1, SMALL),
    'base/pools.yaml': POOLS,
  };
  const hpa =
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: web }\nspec: { maxReplicas: 9 }\n';

  test('is an error of its root with the reason, at the field: a patch without a target', async () => {
    const folder = folderOf({
      ...base,
      'prod/Kustomization': kustomization('resources: [../base]\npatches:\n  - path: hpa.yaml\n'),
      'prod/hpa.yaml': hpa,
    });
    const { code, out } = await run(['check', folder, '--format', 'json', '--no-helm', '--no-kustomize']);
    const { findings } = JSON.parse(out) as Verdict;
    expect(code).toBe(1);
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'KARP-001',
        message: expect.stringMatching(
          /^kustomize refuses to build .*prod: no resource matches strategic merge patch "HorizontalPodAutoscaler\.v2\.autoscaling\/web\.\[noNs\]"/,
        ) as string,
        location: { file: join(folder, 'prod/Kustomization'), line: 5 },
      },
    ]);
  });

  test('is an error if the file has a name that kustomize does not look for', async () => {
    const folder = folderOf({ ...base, 'prod/kustomization': kustomization('resources: [../base]\n') });
    const { code, out } = await run(['check', folder, '--no-helm', '--no-kustomize']);
    expect(code).toBe(1);
    expect(out).toContain('rename the file to kustomization.yaml');
  });
});

test('follows a name prefix in what refers to the object', async () => {
  const priority = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 5\n';
  const { roots } = await rootsOf({
    'a/kustomization.yaml': kustomization('resources: [web.yaml, priority.yaml]\nnamePrefix: a-\n'),
    'a/web.yaml': deployment('web', 1, SMALL).replace('containers:', 'priorityClassName: high\n      containers:'),
    'a/priority.yaml': priority,
    'b/web.yaml': deployment('web', 1, SMALL),
  });
  const [{ verdict }] = roots;
  expect(verdict!.findings.filter(({ message }) => message.includes('PriorityClass'))).toEqual([]);
});

test('a CloudFormation template with nothing that is judged is no error beside other roots', async () => {
  const bucket = "AWSTemplateFormatVersion: '2010-09-09'\nResources: { State: { Type: AWS::S3::Bucket } }\n";
  const files = { 'a/web.yaml': deployment('web', 1, SMALL), 'b/web.yaml': deployment('web', 2, SMALL) };
  const { roots } = await rootsOf({ ...files, 'k8s/pools.yaml': POOLS, 'bootstrap/state.yaml': bucket });
  const state = roots.find(({ name }) => name === 'bootstrap')!;
  expect(state).toMatchObject({ skipped: 'nothing in it is judged' });
  expect(roots.filter((root) => root !== state).every(({ verdict }) => verdict!.summary.errors === 0)).toBe(true);
});
