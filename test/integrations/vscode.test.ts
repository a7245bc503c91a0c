import { readFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from '../cli/run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const ROOT = join(__dirname, '../..');
const { tasks } = JSON.parse(readFileSync(join(ROOT, 'integrations/vscode/tasks.json'), 'utf8'));
const {
  problemMatcher: [ofGitHub],
} = JSON.parse(readFileSync(join(ROOT, 'integrations/github/problem-matcher.json'), 'utf8'));

interface Pattern {
  readonly regexp: string;
  readonly [part: string]: number | string;
}

/** What an editor reads from a line. */
function problemOf({ regexp, ...parts }: Pattern, line: string): Record<string, string> | undefined {
  const match = new RegExp(regexp).exec(line);
  return match
    ? Object.fromEntries(Object.entries(parts).map(([part, group]) => [part, match[Number(group)]]))
    : undefined;
}

async function outputOf(folder: string): Promise<string[]> {
  const { out } = await run(['check', folder, '--format', 'unix']);
  return out.trimEnd().split('\n');
}

const folder = newFolder({
  'pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
  'a b/big.yaml': deployment('big', 1, 'cpu: 64, memory: 1Gi'),
  'web.yaml': deployment('web', 2, SMALL),
});

test.each<[string, Pattern, boolean]>([
  ['VS Code', tasks[0].problemMatcher.pattern, true],
  ['VS Code, while watching', tasks[1].problemMatcher.pattern, true],
  ['GitHub', ofGitHub.pattern[0], false],
])('the problem matcher of %s reads each line that check prints', async (_, pattern, hasNotes) => {
  const lines = (await outputOf(folder)).filter((line) => hasNotes || !line.includes(': info: '));
  const problems = lines.map((line) => problemOf(pattern, line));
  expect(problems).toContainEqual({
    file: join(folder, 'a b/big.yaml'),
    line: '11',
    column: '48',
    severity: 'error',
    code: 'KARP-301',
    message: expect.stringMatching(/^Deployment big: each pod requests 64 CPUs, .*; allow instance type/),
  });
  expect(problems).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'KARP-402' }));
  expect(problems).not.toContain(undefined);
});

test('tasks use options that check has', async () => {
  for (const { command } of tasks) {
    const [args] = /(?<=karpenter-constructs )check .*$/.exec(command)!;
    const help = await run([...args.split(' '), '--help']);
    expect(help.code).toBe(0);
    for (const [option] of args.matchAll(/--[a-z]+/g)) expect(help.out).toMatch(new RegExp(`^ +${option}\\b`, 'm'));
  }
});

test('the background task begins and ends with lines that check --watch prints', () => {
  const {
    background: { beginsPattern, endsPattern },
  } = tasks[1].problemMatcher;
  for (const line of [
    'k8s/web.yaml changed',
    'a.yaml added, b.yaml removed',
    'a added, b added, c added, d added, e added and 2 more',
  ])
    expect(line).toMatch(new RegExp(beginsPattern));
  for (const line of ['watching 1 file; press Ctrl-C to end', 'watching 12 files; press Ctrl-C to end'])
    expect(line).toMatch(new RegExp(endsPattern));
});
