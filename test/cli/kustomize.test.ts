import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, dirname, join } from 'path';
import { run } from './run';
import { runProgram } from '../../src/cli/input/program';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const { PATH } = process.env;

const folders: string[] = [];

afterEach(() => {
  process.env.PATH = PATH;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A kustomization with a part that only the program can build. */
const REMOTE = {
  'app/kustomization.yaml': 'resources: [web.yaml, "https://example.invalid/x.yaml"]\n',
  'app/web.yaml': deployment('web', 1, SMALL),
  'app/pools.yaml': POOLS,
};

/** Puts programs of these names into the path, before all others. */
function install(scripts: Readonly<Record<string, string>>): void {
  const folder = folderOf(
    Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, `#!/bin/sh\n${script}\n`])),
  );
  for (const name of Object.keys(scripts)) chmodSync(join(folder, name), 0o755);
  process.env.PATH = [folder, '/bin'].join(delimiter);
}

async function checked(files: Readonly<Record<string, string>>, ...options: string[]) {
  const { out } = await run(['check', folderOf(files), '--format', 'json', ...options]);
  const document = JSON.parse(out);
  const { verdict, notes } = document.roots?.[0] ?? { verdict: document, notes: document.assumptions };
  return { pods: verdict.summary.pods, notes };
}

test('judges what kustomize builds of a kustomization with remote resources', async () => {
  install({ kustomize: `cat <<'EOF'\n${deployment('built', 3, SMALL)}EOF` });
  const { pods, notes } = await checked(REMOTE);
  expect(pods).toBe(3);
  expect(notes).toContain('built by kustomize');
});

test('uses kubectl if kustomize is not installed', async () => {
  install({ kubectl: `[ "$1" = kustomize ] && cat <<'EOF'\n${deployment('built', 2, SMALL)}EOF` });
  expect((await checked(REMOTE)).pods).toBe(2);
});

test('does not run kustomize for a kustomization that it can build by itself', async () => {
  install({ kustomize: 'echo broken; exit 1' });
  const { pods, notes } = await checked({
    'app/kustomization.yaml': 'resources: [web.yaml, pools.yaml]\n',
    'app/web.yaml': deployment('web', 1, SMALL),
    'app/pools.yaml': POOLS,
  });
  expect(pods).toBe(1);
  expect(notes).not.toContain('built by kustomize');
});

test('says why kustomize has failed, and judges what it can build by itself', async () => {
  install({ kustomize: 'echo "Error: accumulating resources: no such host" >&2; exit 1' });
  const { pods, notes } = await checked(REMOTE);
  expect(pods).toBe(1);
  expect(notes.slice(0, 2)).toEqual([
    'not built: https://example.invalid/x.yaml',
    'kustomize build failed: accumulating resources: no such host',
  ]);
});

test('leaves warnings, times and outer reasons out of the reason why kustomize has failed', async () => {
  const lines = [
    "# Warning: 'vars' is deprecated.",
    'E1125 18:54:40.740737   14937 run.go:72] "command failed" err=<',
    "\taccumulating resources: failed to run 'git fetch': fatal: unable to access 'https://example.invalid/'",
  ];
  install({ kustomize: `cat >&2 <<'EOF'\n${lines.join('\n')}\nEOF\nexit 1` });
  expect((await checked(REMOTE)).notes[1]).toBe(
    "kustomize build failed: fatal: unable to access 'https://example.invalid/'",
  );
});

test('does not run kustomize with --no-kustomize', async () => {
  install({ kustomize: `cat <<'EOF'\n${deployment('built', 3, SMALL)}EOF` });
  expect((await checked(REMOTE, '--no-kustomize')).pods).toBe(1);
});

test('lets kustomize render charts, except with --no-helm', async () => {
  install({ kustomize: `[ "$2" = --enable-helm ] && cat <<'EOF'\n${deployment('built', 3, SMALL)}EOF` });
  const files = { ...REMOTE, 'app/kustomization.yaml': 'resources: [web.yaml]\nhelmCharts: [{ name: redis }]\n' };
  expect((await checked(files)).pods).toBe(3);
  const { pods, notes } = await checked(files, '--no-helm');
  expect(pods).toBe(1);
  expect(notes).toContain('kustomize is not run, because of --no-helm');
});

test('stops a program that takes too long', () => {
  install({ slow: 'exec sleep 20' });
  expect(runProgram('slow', [], 0.2)).toMatchObject({
    problem: 'it took more than 0.2 seconds',
    isTooSlow: true,
    isMissing: false,
  });
});

test('a program that is not installed is missing', () => {
  install({});
  expect(runProgram('not-installed-anywhere', [])).toMatchObject({ isMissing: true, isTooSlow: false });
});
