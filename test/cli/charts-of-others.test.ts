import { chmodSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const { PATH } = process.env;
const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const ADVICE = 'KARP-402';

afterEach(() => {
  process.env.PATH = PATH;
});

/** The severities of the advice to the Deployment that helm renders from this template. */
async function severities(template: string, files: Readonly<Record<string, string>>) {
  const programs = newFolder({});
  const rendered = `---\n# Source: shop/${template}\n${deployment('web', 3, SMALL)}`;
  writeFileSync(join(programs, 'helm'), `#!/bin/sh\ncat <<'EOF'\n${rendered}EOF\n`);
  chmodSync(join(programs, 'helm'), 0o755);
  process.env.PATH = [programs, '/bin'].join(delimiter);
  const folder = newFolder({ '.git/HEAD': '', 'pools.yaml': POOLS, ...files });
  const { out } = await run(['check', folder, '--format', 'json', '--no-kustomize']);
  type Found = ReadonlyArray<{ rule: string; severity: string; location: { file: string } }>;
  type Verdict = { readonly findings: Found };
  const verdict = JSON.parse(out) as Verdict & { readonly roots?: ReadonlyArray<{ readonly verdict: Verdict }> };
  const all = verdict.roots?.flatMap((root) => root.verdict.findings) ?? verdict.findings;
  return all
    .filter(({ rule }) => rule === ADVICE)
    .map(({ severity, location }) => `${location.file.slice(folder.length + 1).split('/')[0]} ${severity}`)
    .sort();
}

const chart = (dependencies: object[] = [], more: object = {}) =>
  JSON.stringify({ apiVersion: 'v2', name: 'shop', version: '1.0.0', dependencies, ...more });
const SUBCHART = 'charts/redis/templates/web.yaml';
const REMOTE = { name: 'redis', version: '1.0.0', repository: 'https://charts.example.invalid' };

describe('advice to a workload of a chart', () => {
  test.each<[string, object, Readonly<Record<string, string>>]>([
    ['downloaded as an archive', REMOTE, {}],
    ['downloaded into a folder', REMOTE, { 'app/charts/redis/Chart.yaml': chart() }],
    [
      'copied from its vendor',
      { name: 'redis', version: '1.0.0' },
      { 'app/charts/redis/Chart.yaml': chart([], { icon: 'https://i', home: 'https://h' }) },
    ],
  ])('is a note for a subchart that is %s', async (_, dependency, files) => {
    expect(await severities(SUBCHART, { 'app/Chart.yaml': chart([dependency]), ...files })).toEqual(['app info']);
  });

  test('is a note for an archive that is a part of a subchart of the repository', async () => {
    const files = { 'app/Chart.yaml': chart(), 'app/charts/own/Chart.yaml': chart([REMOTE]) };
    expect(await severities(`charts/own/${SUBCHART}`, files)).toEqual(['app info']);
  });

  test('is a warning for a subchart that is written in the repository', async () => {
    const files = { 'app/Chart.yaml': chart(), 'app/charts/redis/Chart.yaml': chart() };
    expect(await severities(SUBCHART, files)).toEqual(['app warning']);
  });

  test('is a warning for a local subchart with another name', async () => {
    const local = { name: 'web', alias: 'redis', version: '1.0.0', repository: 'file://../web' };
    const files = { 'app/Chart.yaml': chart([local]), 'web/Chart.yaml': chart([], { type: 'library' }) };
    expect(await severities(SUBCHART, files)).toEqual(['app warning']);
  });

  test('is a note for a chart that nothing deploys, if Argo CD deploys the one beside it', async () => {
    const application = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop' },
      spec: { source: { repoURL: 'x', path: 'app' }, destination: { namespace: 'shop' } },
    });
    const files = { 'app/Chart.yaml': chart(), 'old-app/Chart.yaml': chart(), 'apps/app.yaml': application };
    expect(await severities('templates/web.yaml', files)).toEqual(['app warning', 'old-app info']);
  });

  test('is a warning for each chart of a repository that says of no chart how it is deployed', async () => {
    const files = { 'app/Chart.yaml': chart(), 'second/Chart.yaml': chart() };
    expect(await severities('templates/web.yaml', files)).toEqual(['app warning', 'second warning']);
  });
});
