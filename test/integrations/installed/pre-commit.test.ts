import { spawnSync } from 'child_process';
import { copyFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { newFolder } from '../../cli/run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../validation/setup';
import { pathWith } from '../programs';

const COMMAND = join(__dirname, '../../../bin/karpenter-constructs');
const HOOKS = join(__dirname, '../../../.pre-commit-hooks.yaml');

/** With pre-commit itself, and this repository's hook in a repository of its own. */
describe('git commit with the hook', () => {
  let PATH: string;
  let hooks: string;
  beforeAll(() => {
    PATH = pathWith({ npx: `shift 2; exec ${COMMAND} "$@"` });
    hooks = newFolder({});
    copyFileSync(HOOKS, join(hooks, '.pre-commit-hooks.yaml'));
    commit(hooks);
  });

  function git(folder: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH } },
    );
    return { status, text: stdout + stderr };
  }

  function commit(folder: string): string {
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'first');
    return git(folder, 'rev-parse', 'HEAD').text.trim();
  }

  test('stops errors, and lets other commits through', () => {
    const folder = newFolder({ 'pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n') });
    const config = {
      repos: [
        { repo: hooks, rev: git(hooks, 'rev-parse', 'HEAD').text.trim(), hooks: [{ id: 'karpenter-constructs' }] },
      ],
    };
    writeFileSync(join(folder, '.pre-commit-config.yaml'), JSON.stringify(config));
    commit(folder);
    expect(spawnSync('pre-commit', ['install'], { cwd: folder }).status).toBe(0);
    writeFileSync(join(folder, 'big.yaml'), deployment('big', 1, 'cpu: 64, memory: 1Gi'));
    git(folder, 'add', '--all');
    const refused = git(folder, 'commit', '--message', 'big');
    expect(refused).toEqual({
      status: 1,
      text: expect.stringMatching(/karpenter-constructs\.+Failed[^]*big\.yaml:11:48: error: Deployment big: /),
    });
    writeFileSync(join(folder, 'big.yaml'), deployment('big', 1, SMALL));
    git(folder, 'add', '--all');
    expect(git(folder, 'commit', '--message', 'small')).toEqual({
      status: 0,
      text: expect.stringMatching(/karpenter-constructs\.+Passed/),
    });
  });
});
