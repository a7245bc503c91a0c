import { spawnSync } from 'child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { install, restorePath } from './installed-programs';
import { newFolder, run } from './run';
import { Programs } from '../../src/cli/programs/programs';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
afterEach(() => {
  restorePath();
  delete process.env.HELM_PLUGINS;
});

/** A kustomization with a part that only the program can build. */
const VARS = {
  'app/kustomization.yaml': 'resources: [web.yaml]\nreplacements: [{ path: none.yaml }]\n',
  'app/web.yaml': deployment('web', 1, SMALL),
  'app/check.yaml': 'apiVersion: example.com/v1\nkind: Check\nmetadata: { name: check }\n',
  'pools.yaml': POOLS,
};
const REMOTE = { ...VARS, 'app/kustomization.yaml': 'resources: [web.yaml, "https://example.invalid/x.yaml"]\n' };
const CHART = { 'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n', 'pools.yaml': POOLS };
const BUILT = `cat <<'EOF'\n${deployment('built', 3, SMALL)}EOF`;

function repository(files: Readonly<Record<string, string>>) {
  return newFolder({ '.git/HEAD': '', ...files });
}

async function checked(folder: string, ...options: string[]) {
  const { out } = await run(['check', folder, '--format', 'json', ...options]);
  const document = JSON.parse(out);
  const roots = (document.roots ?? [{ verdict: document, notes: document.assumptions }]) as Array<{
    verdict?: { summary: { pods: number } };
    notes: string[];
    skipped?: string;
  }>;
  return {
    pods: roots.reduce((sum, { verdict }) => sum + (verdict?.summary.pods ?? 0), 0),
    notes: roots.flatMap(({ notes, skipped }) => [...notes, ...(skipped === undefined ? [] : [skipped])]),
  };
}

describe('kustomize', () => {
  test('builds a kustomization that has more than is read here', async () => {
    const { args } = install({ kustomize: BUILT });
    const folder = repository(VARS);
    const { pods, notes } = await checked(folder);
    expect(pods).toBe(3);
    expect(notes).toContain('built by kustomize');
    expect(args()).toEqual(['build', '--', join(folder, 'app')]);
  });

  test('is kubectl if kustomize is not installed', async () => {
    const { args } = install({ kubectl: BUILT });
    const folder = repository(VARS);
    expect((await checked(folder)).pods).toBe(3);
    expect(args()).toEqual(['kustomize', '--', join(folder, 'app')]);
  });

  test('is not run for a kustomization without such parts, nor with --no-kustomize', async () => {
    const { args } = install({ kustomize: BUILT });
    await checked(repository({ ...VARS, 'app/kustomization.yaml': 'resources: [web.yaml]\n' }));
    await checked(repository(VARS), '--no-kustomize');
    expect(args()).toBeUndefined();
  });

  test('is not run for charts except with --enable-helm, nor with --no-helm', async () => {
    const { args } = install({ kustomize: BUILT });
    const folder = repository({
      ...VARS,
      'app/kustomization.yaml': 'resources: [web.yaml]\nhelmCharts: [{ name: redis }]\n',
      'app/charts/redis/Chart.yaml': 'name: redis\n',
    });
    expect((await checked(folder)).notes).toContain(
      'kustomize is not run, because it renders charts only with --enable-helm',
    );
    expect((await checked(folder, '--enable-helm', '--no-helm')).notes).toContain(
      'kustomize is not run, because of --no-helm',
    );
    expect(args()).toBeUndefined();
    expect((await checked(folder, '--enable-helm')).notes).toContain('built by kustomize');
    expect(args()).toEqual(['build', '--enable-helm', '--', join(folder, 'app')]);
  });

  test.each([
    ['helmGlobals: { configHome: ./evil }', 'app has helmGlobals.configHome, from which helm loads plugins'],
    ['helmGlobals: { CONFIGHOME: ./evil }', 'app has helmGlobals.configHome, from which helm loads plugins'],
    ['helmGlobals: { chartHome: ../../.. }', 'helmGlobals.chartHome of app is outside of the repository'],
    ['helmGlobals: { chartHome: /opt }\nhelmCharts: [{ name: a }]', 'helmGlobals.chartHome of app is outside'],
    ['helmCharts: [{ name: b }]', 'may refer to schemas on the network; pass --allow-network'],
    ['helmCharts: [{ name: {} }]', 'the chart cannot be read'],
    ['helmCharts: [{ name: a, releaseName: --post-renderer=./evil }]', 'which helm would take for an option'],
    ['helmCharts: [{ name: a, RELEASENAME: a, releaseName: null }]', 'has a key twice'],
    ['helmCharts: [{ name: a, repo: "oci://example.invalid" }]', 'names a repo, which needs the network'],
    ['helmChartInflationGenerator: [{ chartName: a }]', 'has a helmChartInflationGenerator, which runs a program'],
    ['helmCharts: [{ name: a }]\ngenerators: [gen.yaml]', 'has a generator that renders charts'],
  ])('is not run with --enable-helm for %s', async (content, problem) => {
    const { args } = install({ kustomize: BUILT });
    const folder = repository({
      ...VARS,
      'app/kustomization.yaml': `resources: [web.yaml]\nvalidators: [check.yaml]\n${content}\n`,
      'app/gen.yaml': 'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: { name: x }\nname: y\n',
      'app/charts/a/Chart.yaml': 'name: a\n',
      'app/opt/a/Chart.yaml': 'name: a\n',
      'app/charts/b/Chart.yaml': 'name: b\n',
      'app/charts/b/values.schema.json': '{ "$ref": "https://example.invalid/schema.json" }',
    });
    expect((await checked(folder, '--enable-helm')).notes.join('\n').replaceAll(`${folder}/`, '')).toContain(problem);
    expect(args()).toBeUndefined();
  });

  test.each([
    'resources: [web.yaml, "https://example.invalid/x.yaml"]',
    'resources: [web.yaml, github.com/a/b]',
    'resources: [web.yaml, "git@example.invalid:a/b"]',
    'resources: [web.yaml]\ncomponents: ["git::https://example.invalid/a//b"]',
    'resources: [web.yaml, upper]',
    'resources: [web.yaml, merged]',
    'resources: [web.yaml]\nconfigMapGenerator: [{ name: a, files: ["a=https://example.invalid/x"] }]',
    'resources: [web.yaml]\npatches: [{ path: "HTTPS://example.invalid/x" }]',
    'resources: [web.yaml]\ngenerators: [gen.yaml]',
    'resources: [web.yaml]\ntransformers: [plugins]',
    'resources: [web.yaml]\ngenerators:\n  - |-\n    kind: ConfigMapGenerator\n    files: ["https://example.invalid/x"]',
    'resources: [web.yaml, inner]',
  ])('is not run without --allow-network for %s', async (content) => {
    const { args } = install({ kustomize: BUILT });
    const files = {
      ...VARS,
      'app/kustomization.yaml': `${content}\nvalidators: [check.yaml]\n`,
      'app/gen.yaml': 'kind: ConfigMapGenerator\nmetadata: { name: a }\nfiles: ["https://example.invalid/x"]\n',
      'app/plugins/kustomization.yaml': 'resources: [../gen.yaml]\n',
      'app/inner/kustomization.yaml': 'resources: ["https://example.invalid/x"]\n',
      'app/upper/kustomization.yaml': 'RESOURCES: ["ssh://example.invalid/a/b"]\n',
      'app/merged/kustomization.yaml': '<<: { resources: ["https://example.invalid/x"] }\n',
      // A folder of that name does not make the name local.
      'app/github.com/a/b/kustomization.yaml': 'resources: []\n',
    };
    const folder = repository(files);
    const { notes } = await checked(folder);
    expect(notes.join('\n')).toMatch(
      /kustomize is not run: .* names .*, which needs the network; pass --allow-network/,
    );
    expect(args()).toBeUndefined();
    await checked(folder, '--allow-network');
    expect(args()?.[0]).toBe('build');
  });

  test.each(['../outside', '/etc', 'link'])('is not run for the base %s outside of the repository', async (base) => {
    const { args } = install({ kustomize: BUILT });
    const around = newFolder({ 'outside/kustomization.yaml': 'resources: []\n', 'repo/.git/HEAD': '' });
    mkdirSync(join(around, 'repo/app'));
    const name = base === '../outside' ? '../../outside' : base;
    writeFileSync(join(around, 'repo/app/kustomization.yaml'), `resources: [web.yaml, ${name}]\n`);
    writeFileSync(join(around, 'repo/app/web.yaml'), deployment('web', 1, SMALL));
    writeFileSync(join(around, 'repo/pools.yaml'), POOLS);
    symlinkSync(join(around, 'outside'), join(around, 'repo/app/link'));
    const { notes } = await checked(join(around, 'repo'));
    expect(notes.join('\n')).toContain(`names "${name}", which is outside of the repository`);
    expect(args()).toBeUndefined();
  });

  test('is not run, and says so, if karpenter-constructs.yaml asks for the network', async () => {
    const { args } = install({ kustomize: BUILT });
    const folder = repository({ ...REMOTE, 'karpenter-constructs.yaml': 'flags: { allow-network: true }\n' });
    const { code, err } = await run(['check', folder]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/:1:\d+: --allow-network is only read from the command line/),
    ]);
    expect(args()).toBeUndefined();
  });

  test('says why it has failed, and what is read without it is judged', async () => {
    install({ kustomize: 'echo "Error: no such host" >&2; exit 1' });
    const { pods, notes } = await checked(repository(REMOTE), '--allow-network');
    expect(pods).toBe(1);
    expect(notes.slice(0, 2)).toEqual([
      'not built: a remote base (https://example.invalid/x.yaml)',
      'kustomize build failed: no such host',
    ]);
  });

  test('says the cause without warnings, times, outer reasons and the path of the repository', async () => {
    const folder = repository(REMOTE);
    const lines = [
      "# Warning: 'vars' is deprecated.",
      'E1125 18:54:40.740737   14937 run.go:72] "command failed" err=<',
      `\tfailed to run 'git fetch' in ${folder}/app: fatal: unable to access ${folder}/app`,
    ];
    install({ kustomize: `cat >&2 <<'EOF'\n${lines.join('\n')}\nEOF\nexit 1` });
    expect((await checked(folder, '--allow-network')).notes).toContain(
      'kustomize build failed: fatal: unable to access app',
    );
  });
});

describe('helm', () => {
  test.each(['--post-renderer=evil', '--values=evil'])('gets a chart called %s as a path', async (name) => {
    const { args } = install({ helm: BUILT });
    const folder = repository({ [`${name}/Chart.yaml`]: CHART['chart/Chart.yaml'], 'pools.yaml': POOLS });
    expect((await checked(folder)).notes).toContain('rendered by helm with its default values');
    expect(args()).toEqual(['template', '--kube-version=1.33.0', '--', 'c', join(folder, name)]);
  });

  test('has nothing of the environment except the PATH, and an empty home', async () => {
    process.env.HELM_PLUGINS = '/evil';
    const { env, home } = install({ helm: BUILT });
    await checked(repository(CHART));
    const names = (env() ?? '').split('\n').map((line) => line.split('=')[0]);
    // The shell of this test's program sets the others.
    expect(names.filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort()).toEqual([
      'GOGC',
      'GOMEMLIMIT',
      'HOME',
      'PATH',
    ]);
    expect(home()).toBe('');
    expect(env()).not.toContain(`HOME=${process.env.HOME}\n`);
  });

  test.each([
    [
      'a link that leads out',
      '/etc/passwd',
      'not rendered: the link files/link of the chart leads out of the repository',
    ],
    ['a link that leads nowhere', 'nowhere', 'not rendered: the link files/link of the chart leads nowhere'],
  ])('is not run for a chart with %s', async (_, target, note) => {
    const { args } = install({ helm: BUILT });
    const folder = repository({ ...CHART, 'chart/files/a.txt': '' });
    symlinkSync(target, join(folder, 'chart/files/link'));
    expect((await checked(folder)).notes).toContain(note);
    expect(args()).toBeUndefined();
  });

  test.each([
    ['values.schema.json', '{ "properties": { "a": { "$ref": "https://example.invalid/a.json" } } }'],
    ['values.schema.json', '{ "allOf": [{ "\\u0024ref": "file:///etc/passwd" }] }'],
    ['charts/sub/values.schema.json', '{ "$schema": "http://example.invalid/draft" }'],
    ['values.schema.json', '{ "$schema": "https://json-schema.org/draft/2030-01/schema" }'],
    ['values.schema.json', '{ "$id": "https://example.invalid/a#b", "not": { "$ref": "#/$defs/a" } }'],
    ['values.schema.json', 'no JSON'],
    ['charts/sub.tgz', 'an archive, which may have such a schema'],
  ])('validates no values if %s is %s, so that it opens no other schema', async (file, text) => {
    const { args } = install({ helm: BUILT });
    const folder = repository({ ...CHART, [`chart/${file}`]: text });
    expect((await checked(folder)).notes).toContain('rendered by helm with its default values');
    expect(args()).toEqual([
      'template',
      '--kube-version=1.33.0',
      '--skip-schema-validation',
      '--',
      'c',
      join(folder, 'chart'),
    ]);
  });

  test('validates values with a schema that refers only to itself', async () => {
    const { args } = install({ helm: BUILT });
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.invalid/values.json#',
      properties: { id: { $id: '#/properties/id' }, name: { $ref: '#/$defs/name' } },
      $defs: { name: {} },
    };
    const folder = repository({ ...CHART, 'chart/values.schema.json': JSON.stringify(schema) });
    await checked(folder);
    expect(args()).toEqual(['template', '--kube-version=1.33.0', '--', 'c', join(folder, 'chart')]);
  });

  test('has to be newer for a chart whose schema refers to others', async () => {
    install({ helm: 'echo "Error: unknown flag: --skip-schema-validation" >&2; exit 1' });
    const folder = repository({ ...CHART, 'chart/charts/sub.tgz': '' });
    expect((await checked(folder)).notes.join()).toContain('and this helm would open them; install helm 3.16 or newer');
  });

  test('is run for a chart with a link inside the repository', async () => {
    const { args } = install({ helm: BUILT });
    const folder = repository({ ...CHART, 'common.txt': '' });
    symlinkSync('../common.txt', join(folder, 'chart/common.txt'));
    await checked(folder);
    expect(args()?.[0]).toBe('template');
  });

  test('is not the program of the repository or of node_modules, whatever the PATH is', async () => {
    const folder = repository(CHART);
    for (const inside of ['bin', 'node_modules/.bin']) {
      const { args, folder: programs } = install({ helm: BUILT });
      mkdirSync(join(folder, inside), { recursive: true });
      writeFileSync(join(folder, inside, 'helm'), readFileSync(join(programs, 'helm')), { mode: 0o755 });
      process.env.PATH = [join(folder, inside), '/bin'].join(delimiter);
      expect((await checked(folder)).notes).toContain(
        'not rendered, because the only helm in the PATH is one of the repository or of node_modules; install helm, or pass the output of helm template',
      );
      expect(args()).toBeUndefined();
    }
  });
});

describe('the programs of a run', () => {
  /** A process that has ended stays as a zombie until its parent looks. */
  const isRunning = (pid: string) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid]).stdout.toString());

  test('end with all processes that they have started', async () => {
    const { folder } = install({ slow: '/bin/sleep 60 & echo $! > "$(dirname "$0")/pid"; wait' });
    expect(new Programs(60, 0.5).run('slow', [], folder)).toEqual({
      text: '',
      problem: 'it took more than 0.5 seconds',
      isMissing: false,
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isRunning(readFileSync(join(folder, 'pid'), 'utf8').trim())).toBe(false);
  });

  test('end with a process that goes on after a success', async () => {
    const { folder } = install({ quick: '/bin/sleep 60 > /dev/null 2>&1 & echo $! > "$(dirname "$0")/pid"' });
    expect(new Programs().run('quick', [], '/none').problem).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isRunning(readFileSync(join(folder, 'pid'), 'utf8').trim())).toBe(false);
  });

  test('share one budget of time', () => {
    install({ slow: 'exec /bin/sleep 60' });
    const programs = new Programs(0.5);
    expect(programs.run('slow', [], '/none').problem).toBe('it took more than 0.5 seconds');
    expect(programs.run('slow', [], '/none').problem).toBe('not run, because programs have taken 0.5 seconds so far');
  });

  test('are missing if they are not installed', () => {
    install({});
    expect(new Programs().run('not-installed', [], '/none')).toEqual({
      text: '',
      problem: 'not-installed is not installed',
      isMissing: true,
    });
  });
});
