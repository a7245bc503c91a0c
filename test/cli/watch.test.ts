import { ChildProcess, spawn } from 'child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from './run';
import { accountCatalogText } from '../../src/catalog/account';
import { wantsProgress } from '../../src/cli/terminal/wants-progress';
import { changesBetween, takeSnapshot } from '../../src/cli/watch/snapshot';
import { FolderWatcher, watchFiles } from '../../src/cli/watch/watch';
import { madeCatalog } from '../catalog/account/answers';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 1, SMALL);
const CATALOG = accountCatalogText(madeCatalog());
const NODE =
  'apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { topology.kubernetes.io/region: eu-west-1, topology.kubernetes.io/zone: eu-west-1a } }\n';
const BIG = deployment('big', 1, 'cpu: 64, memory: 1Gi');

describe('check --watch', () => {
  let command: string;
  let children: ChildProcess[];
  beforeAll(async () => {
    command = await buildCommandLine();
  });
  beforeEach(() => {
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** A running command, which waits for changes when `until` returns. */
  function start(folder: string, ...args: string[]) {
    const child = spawn(process.execPath, [command, 'check', '.', '--watch', '--format', 'unix', ...args], {
      cwd: folder,
    });
    children.push(child);
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      output.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output.err += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    /** Waits for the given number of runs, and returns what was printed since the last call. */
    const runs = async (count: number) => {
      const deadline = Date.now() + 20_000;
      while ((output.err.match(/^watching /gm) ?? []).length < count) {
        if (Date.now() > deadline) throw new Error(`fewer than ${count} runs: ${output.err}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const printed = { ...output };
      output.out = '';
      output.err = '';
      return printed;
    };
    const interrupt = () => {
      child.kill('SIGINT');
      return ended;
    };
    return { runs, interrupt };
  }

  test('checks again when a file changes, says what changed, and ends with the last exit code', async () => {
    const folder = newFolder({ 'pool.yaml': POOL, 'web.yaml': WEB });
    const { runs, interrupt } = start(folder);
    expect((await runs(1)).out).not.toContain('error:');
    writeFileSync(join(folder, 'web.yaml'), BIG);
    const { out, err } = await runs(1);
    expect(err).toMatch(/^web\.yaml changed\n(.*\n)*watching 2 files; press Ctrl-C to end\n$/);
    expect(out).toContain('web.yaml:11:48: error: Deployment big: ');
    expect(await interrupt()).toBe(1);
  });

  test('keeps running on a file that is not YAML, and recovers', async () => {
    const folder = newFolder({ 'pool.yaml': POOL });
    const { runs, interrupt } = start(folder);
    await runs(1);
    writeFileSync(join(folder, 'web.yaml'), 'apiVersion: v1\nkind: [');
    expect(await runs(1)).toMatchObject({
      out: expect.stringMatching(/web\.yaml:2:.* error: /),
      err: expect.stringContaining('web.yaml added\n'),
    });
    rmSync(join(folder, 'web.yaml'));
    expect(await runs(1)).toEqual({ out: '', err: 'web.yaml removed\nwatching 1 file; press Ctrl-C to end\n' });
    expect(await interrupt()).toBe(0);
  });

  test('sees files in new folders, files that an editor replaces, and karpenter-constructs.yaml', async () => {
    const folder = newFolder({ 'pool.yaml': POOL });
    const { runs, interrupt } = start(folder);
    await runs(1);
    mkdirSync(join(folder, 'apps'));
    await new Promise((resolve) => setTimeout(resolve, 400));
    writeFileSync(join(folder, 'apps/web.yaml'), BIG);
    expect((await runs(1)).err).toContain('apps/web.yaml added\n');
    writeFileSync(join(folder, '.web.yaml.swp'), WEB);
    renameSync(join(folder, '.web.yaml.swp'), join(folder, 'apps/web.yaml'));
    expect((await runs(1)).err).toContain('apps/web.yaml changed\n');
    writeFileSync(join(folder, 'karpenter-constructs.yaml'), 'flags: { region: nowhere }');
    expect((await runs(1)).err).toMatch(
      /^karpenter-constructs\.yaml added\nerror: karpenter-constructs\.yaml:1:18: .*nowhere/,
    );
    expect(await interrupt()).toBe(2);
  });

  test.each<[string, string, string, string]>([
    ['--catalog', 'catalog.json', CATALOG, `${CATALOG}\n`],
    ['--cluster', 'cluster.yaml', NODE, `${NODE}\n`],
    ['--settings', 'values.yaml', 'settings: {}', 'settings: { reservedENIs: "1" }'],
  ])('checks again when the file of %s changes', async (option, name, before, after) => {
    const folder = newFolder({ 'manifests/pool.yaml': POOL, [`other/${name}`]: before });
    const { runs, interrupt } = start(join(folder, 'manifests'), option, `../other/${name}`);
    await runs(1);
    writeFileSync(join(folder, 'other', name), after);
    expect((await runs(1)).err).toMatch(new RegExp(`^\\.\\./other/${name} changed\nwatching 2 files; `));
    await interrupt();
  });

  test('checks again when a file changes that karpenter-constructs.yaml names', async () => {
    const folder = newFolder({
      '.git/HEAD': '',
      'manifests/pool.yaml': POOL,
      'karpenter-constructs.yaml': 'flags: { settings: values.yaml }',
      'values.yaml': 'settings: {}',
    });
    const { runs, interrupt } = start(join(folder, 'manifests'));
    await runs(1);
    writeFileSync(join(folder, 'values.yaml'), 'settings: { reservedENIs: "1" }');
    expect((await runs(1)).err).toMatch(/^\.\.\/values\.yaml changed\nwatching 3 files; /);
    await interrupt();
  });

  test('does not see the file that it writes itself, and does not clear a screen that is a pipe', async () => {
    const folder = newFolder({ 'pool.yaml': POOL });
    const { runs, interrupt } = start(folder, '--output', 'result.txt');
    await runs(1);
    expect(existsSync(join(folder, 'result.txt'))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(join(folder, 'web.yaml'), BIG);
    const { out, err } = await runs(1);
    expect({ out, err }).toEqual({ out: '', err: 'web.yaml added\nwatching 2 files; press Ctrl-C to end\n' });
    expect(readFileSync(join(folder, 'result.txt'), 'utf8')).toContain('web.yaml:11:48: error: ');
    expect(await interrupt()).toBe(1);
  });

  test('starts one run for several changes in a short time', async () => {
    const folder = newFolder({ 'pool.yaml': POOL });
    const { runs, interrupt } = start(folder);
    await runs(1);
    for (const name of ['a', 'b', 'c']) {
      writeFileSync(join(folder, `${name}.yaml`), deployment(name, 1, SMALL));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect((await runs(1)).err).toMatch(/^a\.yaml added, b\.yaml added, c\.yaml added\nwatching 4 files; /);
    await interrupt();
  });
});

describe('check --watch is rejected', () => {
  test.each<[string[], string]>([
    [['-'], '--watch: standard input does not change; name files or folders'],
    [['.', '--fix'], '--watch: --fix changes the watched files; run check --fix once, then check --watch'],
    [['.', '--write-baseline', 'b.json'], '--watch: a baseline is written once; omit --watch or --write-baseline'],
    [['nowhere'], 'nowhere: no such file or folder'],
  ])('with %j', async (args, message) => {
    expect(await run(['check', '--watch', ...args])).toEqual({ code: 2, out: '', err: `error: ${message}\n` });
  });
});

test.each<[string, number | undefined, string]>([
  ['clears the screen of a terminal before the next result', 80, 'first\n\x1b[2J\x1b[3J\x1b[Hsecond\n'],
  ['writes results one below the other without a terminal', undefined, 'first\nsecond\n'],
])('%s', async (_, columns, expected) => {
  const folder = newFolder({ 'a.yaml': '' });
  const results = ['first\n', 'second\n'];
  let out = '';
  const io = {
    stdin: (async function* empty() {
      /* nothing */
    })(),
    color: false,
    columns,
    writeOut: (text: string) => {
      out += text;
    },
    writeError: () => {},
  };
  const code = await watchFiles(
    {
      takeSnapshot: () => takeSnapshot([folder], () => false),
      run: async () => {
        io.writeOut(results.shift()!);
        if (results.length > 0) writeFileSync(join(folder, 'a.yaml'), 'changed during the run');
        else setTimeout(() => process.emit('SIGINT'), 10);
        return results.length;
      },
    },
    io,
  );
  expect({ code, out }).toEqual({ code: 0, out: expected });
});

describe('a snapshot', () => {
  const names = (folder: string) =>
    [...takeSnapshot([folder], () => false).files.keys()].map((file) => file.slice(folder.length + 1)).sort();

  test('has all files of a folder, except hidden files, copies, ignored files and dependencies', () => {
    const folder = newFolder({
      'a.yaml': '',
      'chart/values.txt': '',
      '.hidden/a.yaml': '',
      '.a.yaml.swp': '',
      'a.yaml~': '',
      'node_modules/a.yaml': '',
      'dist/a.yaml': '',
      '.gitignore': 'dist/',
    });
    expect(names(folder)).toEqual(['a.yaml', 'chart/values.txt']);
  });

  test('names the first changes and counts the others', () => {
    const files = (...paths: string[]) => ({ files: new Map(paths.map((path) => [path, ''])), folders: [] });
    expect(changesBetween(files('a'), files('a'))).toBe('');
    expect(changesBetween(files('a'), files('b', 'c', 'd', 'e', 'f', 'g'))).toBe(
      'b added, c added, d added, e added, f added and 2 more',
    );
  });
});

test('folders that cannot be watched are polled', async () => {
  const events: number[] = [];
  const watcher = new FolderWatcher(() => events.push(1), 5);
  watcher.watch(['/nowhere']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  watcher.close();
  expect(events.length).toBeGreaterThan(0);
});

test('progress is not shown, because the thread that shows it would end the watch', () => {
  expect(wantsProgress({ argv: ['node', 'x', 'check', '.', '--watch'], env: {}, stderr: { isTTY: true } })).toBe(false);
});
