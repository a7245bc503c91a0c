/**
 * Compares the verdicts of two checkouts, as a refactoring has to leave them: on the examples, on generated scenarios
 * of each kind, and on the manifests of these through the command line. The wording of messages may differ; everything
 * else is compared.
 *
 *     npx tsx conformance/compare-checkouts.ts BEFORE AFTER [--seed 1] [--count 200]
 *
 * Both checkouts have to be compiled (`npm ci && npm run compile`). Exits with 1 if anything differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from './options';

const KINDS = ['schedule', 'disruption', 'drain', 'simulation'];
/** Generated scenarios of each kind whose manifests go through the command line, too: a process for each. */
const CHECKED = 20;
const MAX_OUTPUT = 2 ** 30;

interface Answer {
  readonly name: string;
  readonly manifests: string;
}

function answersOf(checkout: string, kind: string, seed: number, count: number): string[] {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['tsx', 'conformance/answers.ts', '--kind', kind, '--seed', `${seed}`, '--count', `${count}`],
    { cwd: checkout, encoding: 'utf8', maxBuffer: MAX_OUTPUT },
  );
  if (status !== 0) throw new Error(`${checkout}: conformance/answers.ts ended with ${status}: ${stderr}`);
  return stdout.trimEnd().split('\n');
}

/** The verdict of `check` on a path, without the wording of messages. */
function verdictOf(checkout: string, options: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    'node',
    [join(checkout, 'bin/karpenter-constructs'), 'check', ...options, '--format', 'json'],
    { encoding: 'utf8', maxBuffer: MAX_OUTPUT },
  );
  const json = stdout.startsWith('{')
    ? JSON.stringify(JSON.parse(stdout, withoutWording))
    : `no JSON: ${stderr === '' ? 'nothing' : 'a message'} on stderr`;
  return `${status} ${json}`;
}

/** Keys whose values are worded for people, even if they are one word. */
const WORDED_KEYS = ['constraint', 'message'];

/** A text with a space in it is a sentence: names, labels, quantities and ids have none. */
function withoutWording(key: string, value: unknown): unknown {
  return typeof value === 'string' && (value.includes(' ') || WORDED_KEYS.includes(key)) ? '…' : value;
}

/** An answer without our remarks on it. Events of scenarios stay: their texts are the decisions. */
function withoutRemarks(answer: string): string {
  return JSON.stringify(JSON.parse(answer, (key: string, value: unknown) => (key === 'message' ? '…' : value)));
}

function yamlFilesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (name === 'node_modules') return [];
      return statSync(path).isDirectory() ? yamlFilesIn(path) : /\.ya?ml$/.test(name) ? [path] : [];
    });
}

/** The first place in which two texts differ, with what is around it. */
function firstDifference(before: string, after: string): string {
  let index = 0;
  while (index < before.length && before[index] === after[index]) index++;
  const excerpt = (text: string) => text.slice(Math.max(0, index - 120), index + 120);
  return `\n  before: ${excerpt(before)}\n  after:  ${excerpt(after)}`;
}

function main(): void {
  const program = new Command('compare-checkouts')
    .argument('<before>')
    .argument('<after>')
    .option('--seed <n>', 'seed of the generators', wholeNumber, 1)
    .option('--count <n>', 'scenarios of each kind', wholeNumber, 200)
    .parse();
  const [before, after] = program.args;
  const { seed, count } = program.opts<{ seed: number; count: number }>();
  let compared = 0;
  let different = 0;
  const compare = (name: string, left: string, right: string): void => {
    compared++;
    if (left === right) return;
    different++;
    console.log(`${name} differs:${firstDifference(left, right)}`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'compare-checkouts-'));
  try {
    for (const kind of KINDS) {
      const [left, right] = [before, after].map((checkout) => answersOf(checkout, kind, seed, count));
      left.forEach((answer, index) =>
        compare(`${kind} ${index}`, withoutRemarks(answer), withoutRemarks(right[index])),
      );
      left.slice(0, CHECKED).forEach((answer) => {
        const { name, manifests } = JSON.parse(answer) as Answer;
        const file = join(folder, `${kind}-${name}.yaml`);
        writeFileSync(file, manifests);
        compare(`check of ${kind} ${name}`, verdictOf(before, [file]), verdictOf(after, [file]));
      });
      console.log(`${kind}: ${left.length} scenarios compared`);
    }
    for (const file of ['examples', 'test'].flatMap((name) => yamlFilesIn(join(before, name)))) {
      for (const options of [[], ['--scenario', 'all']]) {
        compare(
          `check ${relative(before, file)} ${options.join(' ')}`,
          verdictOf(before, [file, ...options]),
          verdictOf(after, [file, ...options]),
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`${compared - different} the same, ${different} different`);
  if (different > 0) process.exitCode = 1;
}

main();
