import { spawnSync } from 'child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from './run';
import { PageLog } from '../../src/cli/aws/page-log';
import { takeSnapshot } from '../../src/cli/watch/snapshot';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

jest.setTimeout(60_000);

const POOL = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const GOOD = [POOL, deployment('web', 1, SMALL)].join('---\n');

/** A repository of a stranger, and a file of the user beside it. */
function hostile(files: Readonly<Record<string, string>>, secret = deployment('secret', 1, SMALL)) {
  const around = newFolder({ 'secret.yaml': secret, 'repo/.git/HEAD': '', 'repo/all.yaml': GOOD });
  const repo = join(around, 'repo');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repo, name), text);
  return { around, repo, secret: join(around, 'secret.yaml') };
}

describe('a link that leads out of the repository', () => {
  test.each(['.', 'link.yaml'])('is not read, and is reported, if %s is checked', async (path) => {
    const { repo, secret } = hostile({});
    symlinkSync(secret, join(repo, 'link.yaml'));
    const { out, code, err } = await run(['check', join(repo, path), '--format', 'unix', '--no-helm']);
    expect(out + err).toMatch(/link\.yaml:1:1: .*leads out of the repository/);
    expect(out).not.toContain('secret-');
    expect(code).not.toBe(0);
  });

  test('is not read through a linked folder', async () => {
    const { around, repo } = hostile({});
    symlinkSync(around, join(repo, 'folder'));
    const { out } = await run(['check', repo, '--format', 'json']);
    expect(JSON.parse(out).summary.pods).toBe(1);
  });

  test('is followed inside the repository', async () => {
    const { repo } = hostile({});
    mkdirSync(join(repo, 'more'));
    writeFileSync(join(repo, 'more/other.txt'), deployment('other', 2, SMALL));
    symlinkSync('more/other.txt', join(repo, 'other.yaml'));
    expect(JSON.parse((await run(['check', repo, '--format', 'json'])).out).summary.pods).toBe(3);
  });

  test('is followed outside of repositories if it is named', async () => {
    const folder = newFolder({ 'a/all.yaml': GOOD });
    symlinkSync(join(folder, 'a'), join(folder, 'current'));
    expect((await run(['check', join(folder, 'current'), '--format', 'json'])).code).toBe(0);
  });

  test('is not read as karpenter-constructs.yaml', async () => {
    const { repo, around } = hostile({});
    writeFileSync(join(around, 'token'), 'token: hunter2\n');
    symlinkSync(join(around, 'token'), join(repo, 'karpenter-constructs.yaml'));
    const { err, code } = await run(['check', repo]);
    expect(err).toMatch(/karpenter-constructs\.yaml: cannot be read, it is a link that leads out of the repository/);
    expect(err).not.toContain('token');
    expect(code).toBe(2);
  });

  test('is not read by a flag of karpenter-constructs.yaml', async () => {
    const { repo } = hostile({ 'karpenter-constructs.yaml': 'flags: { cluster: [../secret.yaml] }\n' });
    const { err, code } = await run(['check', repo]);
    expect(err).toMatch(/:1:\d+: "\.\.\/secret\.yaml" is outside of the repository of the file/);
    expect(code).toBe(2);
  });

  test('is not read as --settings', async () => {
    const { repo, secret } = hostile({});
    symlinkSync(secret, join(repo, 'values.yaml'));
    const { err, code } = await run(['check', join(repo, 'all.yaml'), '--settings', join(repo, 'values.yaml')]);
    expect(err).toContain('values.yaml: cannot be read, it is a link that leads out of the repository');
    expect(code).toBe(2);
  });

  test.each(['--output', '--write-baseline'])('is not written by %s', async (option) => {
    const { repo, secret } = hostile({}, 'mine\n');
    symlinkSync(secret, join(repo, 'report'));
    const { err, code } = await run(['check', join(repo, 'all.yaml'), option, join(repo, 'report')]);
    expect(err).toContain('cannot be written, it is a link that leads out of the repository');
    expect(code).toBe(2);
    expect(readFileSync(secret, 'utf8')).toBe('mine\n');
  });

  test('that leads nowhere is replaced by --output, not followed', async () => {
    const { around, repo } = hostile({});
    symlinkSync(join(around, 'new'), join(repo, 'report'));
    await run(['check', join(repo, 'all.yaml'), '--output', join(repo, 'report')]);
    expect(existsSync(join(around, 'new'))).toBe(false);
    expect(lstatSync(join(repo, 'report')).isFile()).toBe(true);
  });

  test('is not changed by --fix in a linked folder', async () => {
    const { around, repo } = hostile({});
    const fixable = POOL.replace('kind: NodePool', 'kind: NodePool # unfixed');
    writeFileSync(join(around, 'pool.yaml'), fixable);
    symlinkSync(around, join(repo, 'folder'));
    await run(['check', repo, '--fix']);
    expect(readFileSync(join(around, 'pool.yaml'), 'utf8')).toBe(fixable);
  });
});

describe('files that are not regular', () => {
  const makePipe = (path: string) => spawnSync('mkfifo', [path]);

  test.each(['.gitignore', 'pipe.yaml', 'app/manifest.json'])('%s as a pipe is never opened', async (name) => {
    const { repo } = hostile({});
    mkdirSync(join(repo, 'app'));
    writeFileSync(join(repo, 'app/a.template.json'), '{}');
    makePipe(join(repo, name));
    // A pipe that is opened without a writer waits for ever.
    const command = await buildCommandLine();
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'check', repo, '--format', 'unix'], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    const isManifest = name !== '.gitignore';
    expect([status, stderr]).toEqual([isManifest ? 1 : 0, '']);
    if (isManifest) expect(stdout).toContain(`${name}:1:1: error: not a file or folder`);
  });

  test('karpenter-constructs.yaml as a device is never opened', async () => {
    const { repo } = hostile({});
    symlinkSync('/dev/zero', join(repo, 'karpenter-constructs.yaml'));
    expect(await run(['check', repo])).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
  });

  test('a .gitignore that is a folder is as if there were none', async () => {
    const { repo } = hostile({});
    mkdirSync(join(repo, '.gitignore'));
    expect((await run(['check', repo])).code).toBe(0);
  });
});

describe('above the folder of the input', () => {
  const HIDES_ALL = { 'karpenter-constructs.yaml': 'severity: { KARP-402: error }\n', '.gitignore': '*.yaml\n' };
  const files = { ...HIDES_ALL, 'in/all.yaml': GOOD };

  test('settings and .gitignore are read inside a Git work tree', async () => {
    const folder = newFolder({ ...files, '.git/HEAD': '' });
    expect((await run(['check', join(folder, 'in')])).err).toContain('has no .yaml, .yml, .json file');
  });

  test('settings and .gitignore are not read outside of one', async () => {
    const folder = newFolder(files);
    const { out, code } = await run(['check', join(folder, 'in'), '--format', 'unix']);
    expect(out).not.toContain('error');
    expect(code).toBe(0);
  });
});

describe('a result that is written to a file', () => {
  test('leaves the old file if the disk is full', async () => {
    const { repo } = hostile({ 'report.html': 'the old report\n' });
    const command = await buildCommandLine();
    // A limit of the shell on the size of files fails like a full disk, in the middle of the file.
    const script = 'ulimit -f 8; exec "$@"';
    const words = [process.execPath, command, 'check', '.', '--format', 'html', '--output', 'report.html'];
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: repo, encoding: 'utf8' });
    expect(stderr).toContain('--output: cannot be written');
    expect(status).toBe(2);
    expect(readFileSync(join(repo, 'report.html'), 'utf8')).toBe('the old report\n');
    expect(readdirSync(repo).sort()).toEqual(['.git', 'all.yaml', 'report.html']);
  });

  test('is written to a device', async () => {
    const { repo } = hostile({});
    expect((await run(['check', repo, '--output', '/dev/null'])).code).toBe(0);
  });
});

test('a snapshot of linked folders in a circle ends, and has each folder once', () => {
  const { repo } = hostile({});
  for (const name of ['a', 'b', 'c']) {
    mkdirSync(join(repo, name));
    for (const other of ['a', 'b', 'c']) symlinkSync(`../${other}`, join(repo, name, `to-${other}`));
  }
  const { files, folders } = takeSnapshot([repo], () => false);
  expect(folders).toHaveLength(4);
  expect([...files.keys()]).toEqual([join(repo, 'all.yaml')]);
});

describe('the answers of catalog update in a file', () => {
  const HEADER = { call: 'types', region: 'eu-west-1', identity: 'x' };

  test('are not written through a link that leads out of the repository', () => {
    const { repo, secret } = hostile({}, 'mine\n');
    symlinkSync(secret, join(repo, 'catalog.json.types.partial'));
    expect(() => new PageLog(join(repo, 'catalog.json.types.partial'), HEADER, 0)).toThrow(
      '--output: cannot be written, it is a link that leads out of the repository',
    );
    expect(readFileSync(secret, 'utf8')).toBe('mine\n');
  });
});
