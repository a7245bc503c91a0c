import { spawnSync } from 'child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { parse } from 'yaml';
import { runAction } from './composite-action';
import { FakeGitHub } from './github-api';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../validation/setup';
import { pathWith } from '../programs';

// Each run starts the command line several times.
jest.setTimeout(180_000);

const POOL = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const BIG = deployment('big', 1, 'cpu: 64, memory: 1Gi');
/** The compiled command line, whose starts take less than half of the time of one that is bundled here. */
const COMMAND = join(__dirname, '../../../bin/karpenter-constructs');
const MARKER = '<!-- karpenter-constructs: default -->';

test('action.yml uses each of its inputs, and no other', () => {
  const text = readFileSync(join(__dirname, '../../../action.yml'), 'utf8');
  const { inputs } = parse(text);
  expect([...new Set([...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name))].sort()).toEqual(
    Object.keys(inputs).sort(),
  );
});

describe('the GitHub Action', () => {
  let github: FakeGitHub;
  let api: string;
  beforeEach(async () => {
    github = new FakeGitHub();
    api = await github.start();
  });
  afterEach(() => github.stop());

  function git(folder: string, ...args: string[]): string {
    const config = [
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      '-c',
      'init.defaultBranch=main',
      '-c',
      'protocol.file.allow=always',
    ];
    const { status, stdout, stderr } = spawnSync('git', [...config, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  function write(folder: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }

  function commit(folder: string, files: Readonly<Record<string, string>>): string {
    write(folder, files);
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'change');
    return git(folder, 'rev-parse', 'HEAD');
  }

  /**
   * A repository as actions/checkout leaves it for a pull request: only the merge commit, without its parents. The base
   * branch has moved on since the event.
   */
  function pullRequest(base: Readonly<Record<string, string>>, change: Readonly<Record<string, string>>) {
    const origin = mkdtempSync(join(tmpdir(), 'origin-'));
    git(origin, 'init', '--quiet');
    const stale = commit(origin, { 'README.md': 'An old state without manifests.' });
    commit(origin, base);
    git(origin, 'checkout', '--quiet', '-b', 'feature');
    const head = commit(origin, change);
    git(origin, 'checkout', '--quiet', 'main');
    git(origin, 'checkout', '--quiet', '-b', 'merge');
    git(origin, 'merge', '--quiet', '--no-ff', '--message', 'merge', 'feature');
    return checkedOut(origin, 'merge', { pull_request: { number: 7, base: { sha: stale }, head: { sha: head } } });
  }

  function checkedOut(origin: string, branch: string, event: object) {
    const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
    git(workspace, 'clone', '--quiet', '--depth=1', '--branch', branch, `file://${origin}`, '.');
    mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
    symlinkSync(COMMAND, join(workspace, 'node_modules/.bin/karpenter-constructs'));
    write(workspace, { '.git/event.json': JSON.stringify(event), '.git/info/exclude': 'node_modules' });
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_PATH: join(workspace, '.git/event.json'),
      GITHUB_API_URL: api,
      GITHUB_GRAPHQL_URL: `${api}/graphql`,
      GITHUB_REPOSITORY: 'shop/infra',
    };
    const { head } = (event as { pull_request?: { head: { sha: string } } }).pull_request ?? {};
    return {
      workspace,
      head: head?.sha,
      run: (inputs: Readonly<Record<string, string>> = {}, path = PATH) =>
        runAction({ version: 'project', ...inputs }, { ...env, PATH: path }),
    };
  }

  function pushed(files: Readonly<Record<string, string>>) {
    const origin = mkdtempSync(join(tmpdir(), 'origin-'));
    git(origin, 'init', '--quiet');
    commit(origin, files);
    return checkedOut(origin, 'main', {});
  }

  test('fails for an error in the manifests, and annotates its line', async () => {
    const { isSuccess, log, summary, outputs, uses } = await pushed({ 'k8s/pool.yaml': POOL, 'k8s/big.yaml': BIG }).run(
      { paths: 'k8s' },
    );
    expect({ isSuccess, exitCode: outputs['exit-code'], uses }).toEqual({ isSuccess: false, exitCode: '1', uses: [] });
    expect(log).toMatch(
      /^::add-matcher::.*\/integrations\/github\/problem-matcher\.json\n[^]*^k8s\/big\.yaml:11:48: error: Deployment big: .*\[KARP-301\]\n[^]*^::remove-matcher owner=karpenter-constructs::\n/m,
    );
    expect(summary).toMatch(/^## The pod does not fit; 1 error, /);
    expect(JSON.parse(readFileSync(outputs.verdict, 'utf8')).summary).toMatchObject({ pods: 1, scheduledPods: 0 });
    expect(github.requests).toEqual([]);
  });

  test('passes without errors, or with fail-on never', async () => {
    expect((await pushed({ 'pool.yaml': POOL }).run()).isSuccess).toBe(true);
    const { isSuccess, outputs } = await pushed({ 'pool.yaml': POOL, 'big.yaml': BIG }).run({ 'fail-on': 'never' });
    expect({ isSuccess, exitCode: outputs['exit-code'] }).toEqual({ isSuccess: true, exitCode: '0' });
  });

  test('uploads findings with paths of the repository instead of annotating them, with sarif', async () => {
    const { log, outputs, uses } = await pushed({ 'infra/k8s/pool.yaml': POOL, 'infra/k8s/big.yaml': BIG }).run({
      'working-directory': 'infra',
      paths: 'k8s',
      sarif: 'true',
      'fail-on': 'never',
    });
    expect(uses).toEqual([
      {
        uses: expect.stringMatching(/^github\/codeql-action\/upload-sarif@[0-9a-f]{40}$/),
        with: { sarif_file: outputs.sarif, category: 'karpenter-constructs-default' },
      },
    ]);
    expect(readFileSync(outputs.sarif, 'utf8')).toContain('"uri": "infra/k8s/big.yaml"');
    expect(log).not.toContain('::add-matcher::');
  });

  test('fails with the reason if the input cannot be used', async () => {
    const { isSuccess, log, outputs } = await pushed({ 'pool.yaml': POOL }).run({ paths: 'manifests' });
    expect({ isSuccess, exitCode: outputs['exit-code'], report: outputs.report }).toEqual({
      isSuccess: false,
      exitCode: '2',
      report: '',
    });
    expect(log).toContain('::error title=karpenter-constructs::error: manifests: no such file or folder\n');
  });

  test('installs its own version outside of the checkout, and uses no program of the checkout', async () => {
    const { workspace, run } = pushed({ 'pool.yaml': POOL, '.npmrc': 'registry=http://evil.invalid\n' });
    rmSync(join(workspace, 'node_modules'), { recursive: true });
    write(workspace, { 'node_modules/.bin/karpenter-constructs': '#!/bin/sh\necho evil; exit 0\n' });
    chmodSync(join(workspace, 'node_modules/.bin/karpenter-constructs'), 0o755);
    const npm = `pwd; for a; do echo "$a" >&2; done; echo "$PWD $*" > ${workspace}/.git/npm\nmkdir -p "$3/node_modules/.bin"; ln -s ${COMMAND} "$3/node_modules/.bin/karpenter-constructs"`;
    const { isSuccess, log } = await run({ version: '' }, pathWith({ npm }));
    expect([isSuccess, log]).toEqual([true, expect.not.stringContaining('evil')]);
    const [folder, ...words] = readFileSync(join(workspace, '.git/npm'), 'utf8').trim().split(' ');
    expect(folder.startsWith(workspace)).toBe(false);
    expect(words.join(' ')).toMatch(/^install --prefix \S+ --ignore-scripts .* -- karpenter-constructs@\d+\.\d+\.\d+$/);
  });

  test('ends with exit code 2 and the reason if the program cannot be installed', async () => {
    const { run } = pushed({ 'pool.yaml': POOL });
    const npm = 'echo "npm error code E404" >&2; exit 1';
    const { isSuccess, log, outputs } = await run({ version: '9.9.9' }, pathWith({ npm }));
    expect({ isSuccess, exitCode: outputs['exit-code'], report: outputs.report }).toEqual({
      isSuccess: false,
      exitCode: '2',
      report: '',
    });
    expect(log).toContain(
      '::error title=karpenter-constructs::karpenter-constructs 9.9.9 cannot be installed: npm error code E404',
    );
  });

  test('renders charts only with the input programs', async () => {
    const { workspace, run } = pushed({
      'pool.yaml': POOL,
      'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    });
    const path = pathWith({ helm: `echo rendered > ${workspace}/.git/helm` });
    await run({}, path);
    expect(existsSync(join(workspace, '.git/helm'))).toBe(false);
    await run({ programs: 'true' }, path);
    expect(existsSync(join(workspace, '.git/helm'))).toBe(true);
  });

  test('does not touch a comment of somebody else that begins like its own', async () => {
    github.addComments(1, `${MARKER}\nAll is well.`);
    await pullRequest({ 'pool.yaml': POOL }, { 'web.yaml': deployment('web', 2, SMALL) }).run();
    expect(github.comments).toHaveLength(2);
    expect(github.comments[0].body).toBe(`${MARKER}\nAll is well.`);
  });

  test('passes region, version of Karpenter and further options on', async () => {
    const { outputs } = await pushed({ 'pool.yaml': POOL }).run({
      region: 'eu-west-1',
      'karpenter-version': '1.8.6',
      args: '--spot-price-ratio 0.3\n--preference-policy "Ignore"',
    });
    expect(JSON.parse(readFileSync(outputs.verdict, 'utf8')).assumptions.join('\n')).toMatch(
      /Karpenter is 1\.8\.6[^]*eu-west-1/,
    );
  });

  test('comments what a pull request changes, compared with the first parent of the merge, and updates the comment', async () => {
    github.addComments(120, `Nice!\n> ${MARKER}`);
    const { workspace, head, run } = pullRequest(
      { 'k8s/pool.yaml': POOL },
      { 'apps/web.yaml': deployment('web', 2, SMALL) },
    );
    const { isSuccess, log, summary, outputs } = await run({ paths: 'k8s apps' });
    expect({
      isSuccess,
      comments: github.comments.length,
      url: outputs['comment-url'],
      warnings: log.match(/^::warning.*$/m),
    }).toEqual({
      isSuccess: true,
      comments: 121,
      url: 'https://github.com/shop/infra/pull/7#issuecomment-121',
      warnings: null,
    });
    const [diff, verdict] = github.comments[120].body.split('<details><summary>The whole verdict</summary>');
    expect(diff.startsWith(`${MARKER}\n## +\\$70/month: `)).toBe(true);
    expect(diff).toContain('Deployment web is added');
    expect(verdict).toContain('All 2 pods fit on 1 node');
    expect(verdict.endsWith(`</details>\n\nFor commit ${head}.\n`)).toBe(true);
    expect(summary).toMatch(/^## \+\\\$70\/month: [^]*\n## All 2 pods fit/);
    expect(git(workspace, 'worktree', 'list').split('\n')).toHaveLength(1);
    write(workspace, { 'apps/web.yaml': deployment('web', 1, SMALL) });
    expect((await run({ paths: 'k8s apps' })).outputs['comment-url']).toBe(outputs['comment-url']);
    expect(github.comments).toHaveLength(121);
    expect(github.comments[120].body).toContain('The pod fits on 1 node');
    await run({ paths: 'k8s apps', 'comment-id': 'production', diff: 'false' });
    expect(github.comments).toHaveLength(122);
    expect(github.comments[121].body).toMatch(/^<!-- karpenter-constructs: production -->\n## The pod fits/);
  });

  test('fails only for new findings, with fail-on never and fail-on-new', async () => {
    const inputs = { 'fail-on': 'never', 'fail-on-new': 'error', comment: 'false' };
    const old = await pullRequest(
      { 'pool.yaml': POOL, 'big.yaml': BIG },
      { 'web.yaml': deployment('web', 2, SMALL) },
    ).run(inputs);
    expect({ isSuccess: old.isSuccess, exitCode: old.outputs['exit-code'] }).toEqual({
      isSuccess: true,
      exitCode: '0',
    });
    const added = await pullRequest({ 'pool.yaml': POOL }, { 'big.yaml': BIG }).run(inputs);
    expect({ isSuccess: added.isSuccess, exitCode: added.outputs['exit-code'] }).toEqual({
      isSuccess: false,
      exitCode: '1',
    });
    expect(github.requests).toEqual([]);
  });

  test('renders both sides with a command', async () => {
    const base = { 'infra/pool.yaml': POOL, 'infra/replicas': '1' };
    const { run } = pullRequest(base, { 'infra/replicas': '3' });
    const template = deployment('web', 1, SMALL).replace('replicas: 1', 'replicas: COUNT');
    expect(template).toContain('COUNT');
    const render = `mkdir -p out; cp pool.yaml out/; sed "s/COUNT/$(cat replicas)/" > out/web.yaml <<'YAML'\n${template}YAML`;
    const { isSuccess, log } = await run({ 'working-directory': 'infra', paths: 'out', render });
    expect({ isSuccess, log: log.match(/^::(warning|error).*$/m) }).toEqual({ isSuccess: true, log: null });
    expect(github.comments[0].body).toContain('1 of 1 → 3 of 3 pods fit');
  });

  test('reports a command for rendering that fails', async () => {
    const { isSuccess, log } = await pushed({ 'pool.yaml': POOL }).run({ render: 'exit 3' });
    expect(isSuccess).toBe(false);
    expect(log).toContain(
      '::error title=karpenter-constructs::the command of the input render fails with exit code 3; run it in .\n',
    );
  });

  test('checks without a diff, and says why, if the base branch cannot be read', async () => {
    const { isSuccess, log, outputs } = await pullRequest(
      { 'pool.yaml': 'apiVersion: v1\nkind: [' },
      { 'pool.yaml': POOL },
    ).run();
    expect({ isSuccess, diff: outputs.diff }).toEqual({ isSuccess: true, diff: '' });
    expect(log).toMatch(/^::warning title=karpenter-constructs::There is no diff: error: pool\.yaml:2:/m);
    expect(github.comments[0].body).toMatch(/^<!-- karpenter-constructs: default -->\n## /);
  });

  test('checks without a diff, and says why, if the command for rendering fails on the base branch', async () => {
    const { isSuccess, log, outputs } = await pullRequest(
      { 'README.md': 'No script yet.' },
      { 'render.sh': 'true', 'pool.yaml': POOL },
    ).run({ render: 'bash render.sh' });
    expect({ isSuccess, diff: outputs.diff }).toEqual({ isSuccess: true, diff: '' });
    expect(log).toContain(
      '::warning title=karpenter-constructs::There is no diff: the command of the input render fails with exit code 127; run it in . of the base branch\n',
    );
  });

  test('passes, and says why there is no comment, if the token may only read', async () => {
    github.rejects = 403;
    const { isSuccess, log, summary } = await pullRequest(
      { 'pool.yaml': POOL },
      { 'web.yaml': deployment('web', 2, SMALL) },
    ).run();
    expect(isSuccess).toBe(true);
    expect(log).toMatch(
      /^::warning title=karpenter-constructs::The comment is not written: GitHub answers 403: .*; give the job permissions: \{ pull-requests: write \}/m,
    );
    expect(summary).toContain('All 2 pods fit on 1 node');
  });
});
