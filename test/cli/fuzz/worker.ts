/**
 * Runs inputs of the fuzzer in a process with little memory. Prints one JSON object before and one after each input, so
 * that the parent knows which input has stopped the process.
 */
import { mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Mutants } from './mutant';
import { allSeeds } from './seeds';
import { main } from '../../../src/cli';

const INTERNAL_ERROR = 'internal error of karpenter-constructs';
/** A terminal would follow these characters. */
const CONTROL_CHARACTER = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/; // eslint-disable-line no-control-regex
/** A line that a CI runner would follow. */
const RUNNER_COMMAND = /^(::|##\[)/m;

/** What one input has done. */
export interface Result {
  readonly index: number;
  /** Seconds of CPU time. */
  readonly seconds: number;
  readonly bytes: number;
  /** @default - it has done what it should */
  readonly failure?: string;
}

export async function runInputs(folder: string, seed: number, first: number, end: number): Promise<void> {
  const mutants = new Mutants(allSeeds(), seed);
  for (let index = first; index < end; index++) {
    const { files, command } = mutants.make(index);
    writeFiles(folder, files);
    writeSync(1, `${JSON.stringify({ index })}\n`);
    const before = process.cpuUsage();
    const failure = await failureOf(
      command.map((word) => (word === '.' || word.startsWith('./') ? join(folder, word) : word)),
    );
    const { user, system } = process.cpuUsage(before);
    const result: Result = {
      index,
      seconds: (user + system) / 1e6,
      bytes: process.resourceUsage().maxRSS * 1024,
      ...(failure === undefined ? {} : { failure }),
    };
    writeSync(1, `${JSON.stringify(result)}\n`);
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function failureOf(words: readonly string[]): Promise<string | undefined> {
  const programs = words[0] === 'check' || words[0] === 'diff' ? ['--no-helm', '--no-kustomize'] : [];
  let [out, err] = ['', ''];
  const code = await main([...words, ...programs], {
    stdin: (async function* nothing() {})(),
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    color: false,
  });
  const command = `${words.join(' ')}: `;
  const internal = [err, out].find((text) => text.includes(INTERNAL_ERROR));
  if (internal !== undefined) {
    const at = internal.indexOf(INTERNAL_ERROR);
    return command + internal.slice(at, at + 700);
  }
  if (![0, 1, 2].includes(code)) return `${command}exit code ${code}`;
  if (code === 2 && err === '') return `${command}exit code 2 without a reason`;
  for (const text of [out, err]) {
    const found = CONTROL_CHARACTER.exec(text) ?? RUNNER_COMMAND.exec(text);
    if (found) return `${command}prints ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 40))}`;
  }
  return undefined;
}

if (require.main === module) {
  const [folder, ...numbers] = process.argv.slice(2);
  const [seed, first, end] = numbers.map(Number);
  void runInputs(folder, seed, first, end);
}
