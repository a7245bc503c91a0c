import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, PAGES, read } from './pages';
import { Command, commandsOf } from './shell';
import { packageScripts, writeWorkspace } from './workspace';
import { run } from '../cli/run';

/**
 * Commands that this test does not run, by what they begin with, and why. Each entry has to occur in a page. The
 * commands of the starting pages are run by `npm run first-verdict`.
 */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm install': 'installs packages',
  'npm link': 'installs the clone globally',
  'npm ci': 'installs packages',
  'npm init': 'run by first-verdict',
  'npx tsx': 'run by first-verdict, and by walkthroughs.test.ts',
  'npx cdk synth': 'run by first-verdict',
  'python3 -m venv': 'run by first-verdict',
  '.venv/bin/pip install': 'run by first-verdict',
  '.venv/bin/python': 'run by first-verdict',
  'npm test': 'this suite',
  'git clone': 'downloads the repository',
  'git worktree': 'changes the repository',
  cd: 'changes the folder',
  'kubectl get': 'reads a cluster',
  'kustomize build': 'another tool',
  sed: 'run for docs/diff.md by diff.test.ts',
  'npx projen': 'a task of this project, run by .ci/browser',
};
/** Commands of ours that need something outside of this project, with the reason. */
const NOT_RUN_OURS: Readonly<Record<string, string>> = {
  'catalog update': 'connects to an AWS account',
  '--catalog': 'reads what `catalog update` writes',
  '/tmp/main': 'reads a worktree of Git',
  '--watch': 'runs until it is interrupted; run by test/cli/watch.test.ts',
  'after.yaml': 'run by diff.test.ts',
};

/** Pages whose commands another test runs, on the files of these pages. */
const RUN_BY: Readonly<Record<string, string>> = {
  'docs/how-to/': 'test/examples/guides.test.ts',
  'docs/coming-from/': 'test/examples/guides.test.ts',
  'docs/troubleshooting/': 'test/tools/docs/troubleshooting.test.ts',
  'docs/integrations.md': 'test/integrations/page.test.ts',
};
const isRunElsewhere = (page: string) => Object.keys(RUN_BY).some((folder) => page.startsWith(folder));

const LINES = PAGES.flatMap((page) =>
  blocksOf(page, 'sh').flatMap((block) =>
    block
      .trimEnd()
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
      .map((line) => [page, line] as const),
  ),
);

const ours = ({ words }: Command) =>
  words[0] === 'karpenter-constructs'
    ? words.slice(1)
    : words[0] === 'npx' && words[1] === 'karpenter-constructs'
      ? words.slice(2)
      : undefined;
const kindOf = ({ words }: Command) =>
  Object.keys(NOT_RUN).find((start) => `${words.join(' ')} `.startsWith(`${start} `));
const skipped = (line: string) => Object.keys(NOT_RUN_OURS).find((part) => line.includes(part));

describe('commands of the pages', () => {
  const before = process.cwd();
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-'));
    writeWorkspace(folder);
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  const isOurs = (line: string) =>
    commandsOf(line).some((command) => ours(command) !== undefined) && skipped(line) === undefined;
  const distinct = [
    ...new Set(LINES.filter(([page, line]) => !isRunElsewhere(page) && isOurs(line)).map(([, line]) => line)),
  ];

  test.each(distinct)('%s', async (line) => {
    // In the folder above, `.` would take in all examples.
    process.chdir(
      line.includes('--root ')
        ? join(folder, 'repository')
        : / check \.(?= |$)/.test(line)
          ? join(folder, 'manifests')
          : folder,
    );
    let input = '';
    for (const command of commandsOf(line)) {
      const args = ours(command);
      if (args === undefined) {
        expect(kindOf(command)).toBeDefined();
        input = readFileSync(join(folder, 'web.yaml'), 'utf8'); // what `kustomize build` prints
        continue;
      }
      const { code, out, err } = await run(args, command.isPiped ? input : '');
      // 0 and 1 depend on the findings of the example. 2 means that an argument or a file cannot be used.
      if (code !== 0 && code !== 1) throw new Error(`exit code ${code}: ${err}`);
      if (command.output !== undefined) writeFileSync(command.output, out);
      input = out;
    }
  });

  test.each(Object.entries(RUN_BY))('of %s are run by %s', (pages, file) => {
    expect(read(file)).toContain(pages.split('/')[1]);
  });

  test('are ours, scripts of package.json, or of a kind that is listed', () => {
    const scripts = packageScripts();
    const unknown = LINES.filter(([page]) => !isRunElsewhere(page)).flatMap(([page, line]) =>
      commandsOf(line)
        .filter(
          (command) =>
            ours(command) === undefined &&
            kindOf(command) === undefined &&
            !(command.words[0] === 'npm' && command.words[1] === 'run' && scripts.includes(command.words[2])),
        )
        .map(({ words }) => `${page}: ${words.join(' ')}`),
    );
    expect(unknown).toEqual([]);
  });

  test('use each kind of the list', () => {
    const kinds = LINES.flatMap(([, line]) =>
      commandsOf(line).map((command) => (ours(command) === undefined ? kindOf(command) : skipped(line))),
    );
    expect([...Object.keys(NOT_RUN), ...Object.keys(NOT_RUN_OURS)].filter((kind) => !kinds.includes(kind))).toEqual([]);
  });
});
