import { spawnSync } from 'child_process';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';
import { pathWith } from './programs';
import { newFolder } from '../cli/run';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

jest.setTimeout(60_000);

const [hook] = parse(readFileSync(join(__dirname, '../../.pre-commit-hooks.yaml'), 'utf8'));
const POOL = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');

describe('the pre-commit hook', () => {
  let PATH: string;
  beforeAll(async () => {
    const command = await buildCommandLine();
    PATH = pathWith({
      npx: `test "$1 $2" = '--yes karpenter-constructs@0.1.0' || exit 99; shift 2; exec ${command} "$@"`,
    });
  });

  /** Runs the hook as pre-commit does: if a staged file matches, without file names. */
  function commit(files: Readonly<Record<string, string>>, args: readonly string[] = hook.args) {
    const folder = newFolder({ 'pool.yaml': POOL });
    const git = (...words: string[]) => spawnSync('git', words, { cwd: folder, encoding: 'utf8' }).stdout;
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'pool');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git('add', '--all');
    const staged = git('diff', '--cached', '--name-only')
      .split('\n')
      .filter((name) => new RegExp(hook.files).test(name));
    if (staged.length === 0) return 'not run';
    expect(hook).toMatchObject({ language: 'system', pass_filenames: false });
    const [program, ...words] = [...hook.entry.split(' '), ...args];
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    return { status, stdout, stderr };
  }

  test('stops a commit with an error, which it finds with the NodePool that is not staged', () => {
    expect(commit({ 'big.yaml': deployment('big', 1, 'cpu: 64, memory: 1Gi') })).toEqual({
      status: 1,
      stderr: '',
      stdout: expect.stringMatching(/^big\.yaml:11:48: error: Deployment big: .*NodePool default.* \[KARP-301\]$/m),
    });
  });

  test('lets a commit without errors through', () => {
    expect(commit({ 'web.yaml': deployment('web', 1, SMALL) })).toMatchObject({ status: 0, stderr: '' });
  });

  test('does not run if no manifest is staged', () => {
    expect(commit({ 'README.md': 'Text.' })).toBe('not run');
  });

  test('takes folders and options as args', () => {
    expect(commit({ 'web.yaml': deployment('web', 2, SMALL) }, ['.', '--fail-on', 'warning'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('[KARP-402]'),
    });
  });
});
