import { spawnSync } from 'child_process';
import { existsSync, openSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';
import { buildCommandLine } from '../support/command-line';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');

const bomb = ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]']
  .concat(
    'bcdefghijkl'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijk'[i]}`).join(', ')}]`),
  )
  .join('\n');

const withoutTemplate = 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: bare }\nspec: { weight: 1 }\n';
const withoutRef = nodePool(['m5.large'], 'loose').replace(/.*nodeClassRef.*\n/, '');
const polluting =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: p, __proto__: { admin: true } }\n__proto__: { admin: true }\nspec: { __proto__: { nodeName: x }, containers: 3 }\n';

interface Case {
  readonly content: string | Uint8Array;
  readonly rule: string;
  readonly line: number;
  readonly message: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'not YAML': { content: 'kind: Pod\n  name: "x\n', rule: 'KARP-001', line: 1, message: /^invalid YAML/ },
  prose: { content: 'Dear all,\n', rule: 'KARP-001', line: 1, message: /not a Kubernetes object/ },
  'a YAML bomb': { content: bomb, rule: 'KARP-001', line: 7, message: /aliases expand to more than 1000000 values/ },
  'a file of 50 MB': {
    content: Buffer.alloc(50_000_000, 'a: 1\n'),
    rule: 'KARP-001',
    line: 1,
    message: /the file is too large: 47\.7 MiB, the limit is 16\.0 MiB/,
  },
  'a binary file': {
    content: Buffer.from('a: b\nc: \0\x01', 'latin1'),
    rule: 'KARP-001',
    line: 2,
    message: /NUL character/,
  },
  'a file that is not UTF-8': {
    content: Buffer.from('a: b\nc: caf\xe9\n', 'latin1'),
    rule: 'KARP-001',
    line: 2,
    message: /not valid UTF-8/,
  },
  'nesting without end': {
    content: '['.repeat(100_000),
    rule: 'KARP-001',
    line: 1,
    message: /nested more than 500 levels deep/,
  },
  'more nesting without end': {
    content: '- '.repeat(20_000),
    rule: 'KARP-001',
    line: 1,
    message: /nested more than 500 levels deep/,
  },
  'a key __proto__': { content: polluting, rule: 'KARP-100', line: 3, message: /unknown field "__proto__"/ },
  'cpu of "1O0m"': {
    content: deployment('typo', 1, 'cpu: "1O0m", memory: 1Gi'),
    rule: 'KARP-100',
    line: 11,
    message: /not a Kubernetes quantity, got "1O0m"/,
  },
  'memory of "1e400"': {
    content: deployment('huge', 1, 'cpu: 1, memory: "1e400"'),
    rule: 'KARP-100',
    line: 11,
    message: /out of range, got "1e400"/,
  },
  'a NodePool without a template': {
    content: withoutTemplate,
    rule: 'KARP-100',
    line: 4,
    message: /spec\.template: must be an object, got nothing/,
  },
  'a NodePool without a nodeClassRef': { content: withoutRef, rule: 'KARP-103', line: 7, message: /nodeClassRef/ },
};

const files = Object.fromEntries(Object.values(CASES).map(({ content }, i) => [`${i}.yaml`, content]));
const folder = folderOf({ ...files, 'good.yaml': GOOD });

describe('bad input', () => {
  test.each(Object.entries(CASES).map(([name, expected], i) => [name, `${i}.yaml`, expected] as const))(
    '%s is reported with its line, and the rest is evaluated',
    async (_, file, { rule, line, message }) => {
      const { code, out, err } = await run([
        'check',
        '--format',
        'json',
        join(folder, file),
        join(folder, 'good.yaml'),
      ]);
      const verdict = JSON.parse(out);
      expect(verdict.findings).toContainEqual(
        expect.objectContaining({
          rule,
          severity: 'error',
          message: expect.stringMatching(message),
          remedy: expect.stringMatching(/./),
          location: expect.objectContaining({ file: join(folder, file), line }),
        }),
      );
      expect(verdict.nodeClaims).toMatchObject([{ pods: ['default/web-0', 'default/web-1'] }]);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
    },
  );

  test.each(['prose', 'a YAML bomb', 'nesting without end', 'a binary file'])(
    'only %s exits with 2 and one line on standard error',
    async (name) => {
      const file = join(folder, `${Object.keys(CASES).indexOf(name)}.yaml`);
      const { code, err } = await run(['check', file]);
      expect(code).toBe(2);
      expect(err).toMatch(new RegExp(`^error: ${file}:${CASES[name].line}:\\d+: .*\n$`));
    },
  );

  test('a folder is evaluated without the files that are no manifests', async () => {
    const { code, out } = await run(['check', '--format', 'json', folder]);
    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as { findings: { rule: string; severity: string }[] };
    expect(findings.filter(({ rule, severity }) => rule === 'KARP-001' && severity !== 'info')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(/^the file is too large/) }),
    );
    expect(JSON.parse(out).nodeClaims).toMatchObject([{ pods: ['default/web-0', 'default/web-1'] }]);
  });

  test.each([
    ['a device', (): string[] => ['/dev/zero'], /^not a file or folder/],
    ['an empty folder', (): string[] => [folderOfNothing], /^the folder has no \.yaml, \.yml, \.json file/],
  ])('%s is reported, and the rest is evaluated', async (_, paths, message) => {
    const { code, out } = await run(['check', '--format', 'json', ...paths(), join(folder, 'good.yaml')]);
    expect(code).toBe(1);
    expect(JSON.parse(out).findings).toContainEqual(
      expect.objectContaining({ rule: 'KARP-001', message: expect.stringMatching(message) }),
    );
    expect(JSON.parse(out).summary.scheduledPods).toBe(2);
  });

  test('a missing path exits with 2, and nothing else is printed', async () => {
    const missing = join(folder, 'nowhere.yaml');
    expect(await run(['check', missing, join(folder, 'good.yaml')])).toEqual({
      code: 2,
      out: '',
      err: `error: ${missing}: no such file or folder\n`,
    });
  });

  test('too much standard input exits with 2', async () => {
    expect(await run(['check', '-'], Buffer.alloc(20_000_000, 'a'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('standard input is larger than 16 MiB'),
    });
  });

  test('empty input exits with 2 and says what to pass', async () => {
    expect(await run(['check', '-'], '')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: -:1:1: nothing to evaluate: .*; pass the manifests/),
    });
  });

  test('empty input is not reported as an empty plan', async () => {
    expect(await run(['check', '-'], '')).toMatchObject({ out: '' });
  });

  test('empty input still gives the document that a program asked for', async () => {
    const { out } = await run(['check', '-', '--format', 'json'], '');
    expect(JSON.parse(out)).toMatchObject({ findings: [{ rule: 'KARP-001' }] });
  });
});

const folderOfNothing = folderOf({});

let command: string;
beforeAll(async () => {
  command = await buildCommandLine();
});

// In a process of its own, because a stack overflow or a lack of memory would end the tests.
test('a process with a heap of 256 MB survives all files', () => {
  const paths = [...Object.keys(files), 'good.yaml'].map((name) => join(folder, name));
  const args = ['--max-old-space-size=256', command, 'check', ...paths];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stderr).toBe('');
  expect(status).toBe(1);
});

const CLOSED: readonly Unwritable[] = [
  ['that is open only for reading', __filename, 'r', 'EBADF: bad file descriptor, write'],
];
/** Only Linux has a device that is always full. */
const FULL: readonly Unwritable[] = [
  ['on a disk that is full', '/dev/full', 'w', 'ENOSPC: no space left on device, write'],
];
type Unwritable = readonly [what: string, file: string, mode: string, problem: string];

describe.each([...CLOSED, ...(existsSync('/dev/full') ? FULL : [])])('an output %s', (_, file, mode, problem) => {
  const written = (stdout: number, stderr: 'pipe' | number, ...args: string[]) =>
    spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', stdio: ['ignore', stdout, stderr] });

  test('exits with 2 and one line on standard error if the verdict cannot be written', () => {
    expect(written(openSync(file, mode), 'pipe', 'check', join(folder, 'good.yaml'))).toMatchObject({
      status: 2,
      stderr: `error: standard output cannot be written, ${problem}\n`,
    });
  });

  test('keeps the exit code if only messages cannot be written', () => {
    expect(written(openSync('/dev/null', 'w'), openSync(file, mode), 'check', join(folder, '0.yaml'))).toMatchObject({
      status: 2,
    });
  });
});
