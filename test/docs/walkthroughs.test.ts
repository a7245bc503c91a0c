/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from './pages';
import { matchesOutput } from '../../tools/docs/shown-output';
import { Step, stepsOf } from '../../tools/site/walkthrough';
import { run } from '../cli/run';
import { printedBy } from '../examples/run-as-user';

/** Runs a command of a starting page in this process, as far as it is ours. Returns what it prints. */
async function print(command: string): Promise<string | undefined> {
  const words = command.split(' ');
  if (command.startsWith('npx karpenter-constructs ')) return (await run(words.slice(2))).out;
  if (command === 'npx tsx main.ts') return printedBy(readFileSync('main.ts', 'utf8'));
  return undefined; // Run by `npm run first-verdict`.
}

describe.each(['yaml.md', 'cdk8s.md'])('docs/start/%s', (page) => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  const steps = stepsOf(read(`docs/start/${page}`));

  test('has files, an edit, and two commands with their output', () => {
    const counts = (kind: Step['kind']) =>
      steps.filter((step) => step.kind === kind && (step.kind !== 'command' || step.output !== undefined)).length;
    expect([counts('file') > 0, counts('edit'), counts('command')]).toEqual([true, 1, 2]);
  });

  test('shows what its commands print', async () => {
    for (const step of steps) {
      if (step.kind === 'file') writeFileSync(step.path, step.text);
      if (step.kind === 'edit') writeFileSync(step.path, readFileSync(step.path, 'utf8').replace(step.from, step.to));
      if (step.kind !== 'command' || step.output === undefined) continue;
      const out = await print(step.command);
      if (out === undefined || !matchesOutput(step.output, out)) throw new Error(`${step.command} prints:\n${out}`);
    }
  });
});

test.each(['README.md', 'docs/index.md'])('%s shows the outputs of docs/start/yaml.md', (page) => {
  const outputs = stepsOf(read('docs/start/yaml.md')).flatMap((step) =>
    step.kind === 'command' && step.output !== undefined ? [step.output] : [],
  );
  expect(outputs).toHaveLength(2);
  for (const output of outputs) expect(read(page)).toContain(output.replace(/…\n$/, '').trimEnd());
});
