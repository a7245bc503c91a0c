/**
 * Holds what this project computes against the real Karpenter, and prints the versions that ran. The last line is one JSON object.
 *
 *     npm run conformance -- --seed 1 --count 1000 --keep dist/differences [--only schedule] [--from 0] [--runs 10]
 */
import { parseArgs } from 'node:util';
import { compareSchedules } from './schedule/compare';

export interface RunOptions {
  readonly seed: number;
  readonly count: number;
  /** Number of the first scenario. */
  readonly from: number;
  /** How often the oracle is asked about a scenario before it counts as different. */
  readonly runs: number;
  /** Folder for what differs, with both answers. */
  readonly keep?: string;
}

export interface PartSummary {
  readonly scenarios: number;
  readonly agree: number;
  readonly different: number;
  readonly versions: Readonly<Record<string, string>>;
}

type Part = (options: RunOptions, print: (line: string) => void) => Promise<PartSummary>;

const PARTS: Readonly<Record<string, Part>> = {
  schedule: compareSchedules,
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '200' },
      from: { type: 'string', default: '0' },
      runs: { type: 'string', default: '10' },
      keep: { type: 'string' },
      only: { type: 'string', default: Object.keys(PARTS).join(',') },
    },
  });
  const number = (name: 'seed' | 'count' | 'from' | 'runs') => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name}: not a whole number, got ${values[name]}`);
    return value;
  };
  const options = { seed: number('seed'), count: number('count'), from: number('from'), runs: number('runs'), keep: values.keep };
  const parts: Record<string, PartSummary> = {};
  for (const name of values.only.split(',')) {
    const part = PARTS[name];
    if (!part) throw new Error(`--only: no part of that name, got ${name}; write one of ${Object.keys(PARTS).join(', ')}`);
    parts[name] = await part(options, (line) => console.log(`${name}: ${line}`));
  }
  const all = Object.values(parts);
  const sum = (of: (part: PartSummary) => number) => all.reduce((total, part) => total + of(part), 0);
  console.log(JSON.stringify({
    seed: options.seed,
    scenarios: sum(({ scenarios }) => scenarios),
    agree: sum(({ agree }) => agree),
    different: sum(({ different }) => different),
    versions: Object.assign({}, ...all.map(({ versions }) => versions)),
    parts,
  }));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
