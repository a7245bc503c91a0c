import { cpSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const kustomization = (content: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${content}`;
const FILES = {
  'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
  'base/web.yaml': deployment('web', 1, SMALL),
  'base/pools.yaml': POOLS,
  'overlays/dev/kustomization.yaml': kustomization('resources: [../../base]\nnamespace: dev\n'),
  'overlays/prod/kustomization.yaml': kustomization(
    'resources: [../../base]\nnamespace: prod\nreplicas: [{ name: web, count: 3 }]\n',
  ),
};

/** Two copies of the files, the second one with changes; `undefined` deletes a file. */
function sidesOf(
  files: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>>,
): [before: string, after: string] {
  const [before, after] = [newFolder(files), newFolder({})];
  cpSync(before, after, { recursive: true });
  for (const [name, content] of Object.entries(changes)) {
    if (content === undefined) rmSync(join(after, name));
    else writeNew(after, name, content);
  }
  return [before, after];
}

function writeNew(folder: string, name: string, content: string): void {
  cpSync(newFolder({ [name]: content }), folder, { recursive: true });
}

const diff = (sides: readonly string[], ...options: string[]) =>
  run(['diff', ...sides, '--no-helm', '--no-kustomize', ...options]);

interface Result {
  readonly roots: ReadonlyArray<{ readonly name: string; readonly change: string }>;
  readonly unchanged: readonly string[];
}

async function rootsOf(sides: readonly string[], ...options: string[]): Promise<Result> {
  return JSON.parse((await diff(sides, '--format', 'json', ...options)).out) as Result;
}

const MORE_PODS = {
  'overlays/prod/kustomization.yaml': kustomization(
    'resources: [../../base]\nnamespace: prod\nreplicas: [{ name: web, count: 5 }]\n',
  ),
};

describe('diff of a repository', () => {
  test('prints a line for each root that changes, then what changes in it', async () => {
    const { code, out, err } = await diff(sidesOf(FILES, MORE_PODS));
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^1 of 2 roots changes\.\n1 new note; 1 finding resolved\.\n\nROOT +CHANGE +NODES +PODS +PER MONTH +NEW ERRORS +NEW WARNINGS +RESOLVED\noverlays\/prod +changed +\d → \d +3 → 5 +\$\d+ → \$\d+ +0 +0 +1\n\n== overlays\/prod ==\n\+\$/,
    );
    expect(out).toContain('\n  Deployment prod/web\n    spec.replicas: 3 → 5\n');
    expect(out).not.toContain('overlays/dev');
  });

  test('pairs roots by their paths below both sides, and counts those that do not change', async () => {
    const { roots, unchanged } = await rootsOf(sidesOf(FILES, MORE_PODS));
    expect(roots.map(({ name, change }) => [name, change])).toEqual([['overlays/prod', 'changed']]);
    expect(unchanged).toEqual(['overlays/dev']);
  });

  test('a comment changes no root', async () => {
    expect((await diff(sidesOf(FILES, { 'base/web.yaml': `# web\n${FILES['base/web.yaml']}` }))).out).toBe(
      'Nothing changes.\n',
    );
  });

  test('says which roots only one side has', async () => {
    const added = {
      'overlays/test/kustomization.yaml': kustomization('resources: [../../base]\nnamespace: test\n'),
      'overlays/dev/kustomization.yaml': undefined,
    };
    const { out } = await diff(sidesOf(FILES, added));
    expect(out).toMatch(/\noverlays\/dev +removed +1 +1 +\$\d+ /);
    expect(out).toMatch(/\noverlays\/test +added +1 +1 +\$\d+ /);
    expect(out).toContain('Deployment test/web is added');
  });

  test('describes roots with the same effect once, and a new finding of their base once', async () => {
    const loose = POOLS.replace(/.*capacity-type.*\n/, '');
    const single = {
      'overlays/dev/kustomization.yaml': '',
      'overlays/prod/kustomization.yaml': FILES['overlays/dev/kustomization.yaml'],
    };
    const files = { ...FILES, ...single, 'overlays/test/kustomization.yaml': FILES['overlays/dev/kustomization.yaml'] };
    const { code, out } = await diff(sidesOf(files, { 'base/pools.yaml': loose }), '--fail-on', 'warning');
    expect(code).toBe(1);
    expect(out).toMatch(
      /\noverlays\/prod +changed.*\noverlays\/test +changed.*\n\n== overlays\/prod, overlays\/test ==\n/,
    );
    expect(out.match(/ warning KARP-511 /g)).toHaveLength(1);
  });

  test('exits with 1 for a new error in any root, and counts no nodes as free', async () => {
    const big = FILES['base/web.yaml'].replace(SMALL, 'cpu: 64, memory: 1Gi');
    const { code, out } = await diff(sidesOf(FILES, { 'base/web.yaml': big }));
    expect(code).toBe(1);
    expect(out).toMatch(/\noverlays\/dev +changed +1 → 0 +1 → 0 of 1 +\$70 → \$0 +1 /);
    expect((await diff(sidesOf(FILES, { 'base/web.yaml': big }), '--fail-on', 'never')).code).toBe(0);
  });

  test('compares only the root of --root, with the result of a single root', async () => {
    const { out } = await diff(sidesOf(FILES, MORE_PODS), '--root', 'prod', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: '1', summary: { before: { pods: 3 }, after: { pods: 5 } } });
    expect((await diff(sidesOf(FILES, MORE_PODS), '--root', 'dev')).out).toBe('Nothing changes.\n');
    expect((await diff(sidesOf(FILES, MORE_PODS), '--root', 'prd')).err).toBe(
      'error: --root: the input has no root "prd"; did you mean "prod"?\n',
    );
  });

  test('compares a root of --root that only one side has with nothing', async () => {
    const added = { 'overlays/test/kustomization.yaml': kustomization('resources: [../../base]\nnamespace: test\n') };
    expect((await diff(sidesOf(FILES, added), '--root', 'overlays/test')).out).toContain(
      'Deployment test/web is added',
    );
  });

  test('names charts that are not compared', async () => {
    const chart = { ...FILES, 'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' };
    const { out } = await diff(sidesOf(chart, MORE_PODS));
    expect(out).toContain('\nNotes\n  not compared: chart; not rendered, because of --no-helm\n');
    expect((await rootsOf(sidesOf(chart, MORE_PODS))).roots.map(({ name, change }) => [name, change])).toEqual([
      ['chart', 'not compared'],
      ['overlays/prod', 'changed'],
    ]);
  });

  test('compares the other roots and exits with 2 if a root cannot be read', async () => {
    const { code, out, err } = await diff(
      sidesOf(
        {
          ...FILES,
          'overlays/dev/job.yaml': deployment('job', 1, SMALL),
          'overlays/dev/kustomization.yaml': kustomization('resources: [../../base, job.yaml]\n'),
        },
        {
          ...MORE_PODS,
          'overlays/dev/job.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: [\n',
        },
      ),
    );
    expect(code).toBe(2);
    expect(err).toMatch(
      /^error: .*overlays\/dev\/kustomization\.yaml:3:\d+: kustomize refuses to build .*: invalid YAML/,
    );
    expect(out).toContain('not compared: overlays/dev; some of its input cannot be read\n');
    expect(out).toMatch(/\noverlays\/prod +changed/);
  });

  test('pairs the other files, whose common folder a new file changes', async () => {
    const files = {
      'a/kustomization.yaml': kustomization('resources: [web.yaml]\n'),
      'a/web.yaml': deployment('web', 1, SMALL),
      'plain/x/all.yaml': `${POOLS}---\n${deployment('api', 1, SMALL)}`,
    };
    const { roots } = await rootsOf(sidesOf(files, { 'plain/y/more.yaml': deployment('more', 1, SMALL) }));
    expect(roots.map(({ name, change }) => [name, change])).toEqual([['plain', 'changed']]);
  });

  test('reports clusters of Flux by the folders inside both sides', async () => {
    const flux = (cluster: string) =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system }\nspec: { path: ./apps/${cluster}, sourceRef: { kind: GitRepository, name: flux-system } }\n`;
    const files = Object.fromEntries(
      ['one', 'two'].flatMap((cluster) => [
        [`clusters/${cluster}/apps.yaml`, flux(cluster)],
        [`apps/${cluster}/all.yaml`, `${POOLS}---\n${deployment('web', 1, SMALL)}`],
      ]),
    );
    const { roots, unchanged } = await rootsOf(
      sidesOf(files, { 'apps/two/all.yaml': `${POOLS}---\n${deployment('web', 2, SMALL)}` }),
    );
    expect([roots.map(({ name }) => name), unchanged]).toEqual([['cluster clusters/two'], ['cluster clusters/one']]);
  });

  test('prints Markdown with a table of roots and a folded part for each effect', async () => {
    const { out } = await diff(sidesOf(FILES, MORE_PODS), '--format', 'markdown');
    expect(out).toMatch(
      /^## 1 of 2 roots changes\.\n\n1 new note; 1 finding resolved\.\n\n\| Root \| Change \| Nodes \|.*\n.*\n\| overlays\/prod \| changed \| \d → \d \| 3 → 5 \|/,
    );
    expect(out).toContain('<details>\n<summary>overlays/prod</summary>\n\n+');
  });

  test('prints an HTML page with a table of roots', async () => {
    const { out } = await diff(sidesOf(FILES, MORE_PODS), '--format', 'html');
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).toContain('<h1>1 of 2 roots changes.</h1>');
    expect(out).toMatch(/<tr><td>overlays\/prod<\/td><td>changed<\/td>/);
  });

  test('prints the same bytes for the same input', async () => {
    const sides = sidesOf(FILES, MORE_PODS);
    for (const format of ['text', 'json', 'markdown', 'html'])
      expect((await diff(sides, '--format', format)).out).toBe((await diff(sides, '--format', format)).out);
  });
});

test('a kustomization that is the only root is compared as it is built', async () => {
  const files = {
    'kustomization.yaml': kustomization('resources: [all.yaml]\nnamespace: shop\n'),
    'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
  };
  const sides = sidesOf(files, {});
  writeFileSync(
    join(sides[1], 'kustomization.yaml'),
    kustomization('resources: [all.yaml]\nnamespace: shop\nreplicas: [{ name: web, count: 2 }]\n'),
  );
  expect(JSON.parse((await diff(sides, '--format', 'json')).out)).toMatchObject({
    summary: { before: { pods: 1 }, after: { pods: 2 } },
    objects: [{ namespace: 'shop', name: 'web' }],
  });
});
