import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';

/** What a comparison is told. */
export interface RunOptions {
  readonly seed: number;
  /** How much is generated; each part has a default of its own. */
  readonly count?: number;
  /** Number of the first scenario. */
  readonly from: number;
  /** Of which every scenario has one, alone or beside others; whatever is drawn if absent. */
  readonly features?: readonly string[];
  /** How often the scheduler's oracle is asked about a scenario that differs, or agrees in map order only. */
  readonly runs: number;
  /** How many of the scheduler's oracles are asked side by side. */
  readonly jobs: number;
  /** Folder for what differs, with both answers. */
  readonly keep?: string;
  /** Of Karpenter for AWS, that objects are shown to; all of them if absent. */
  readonly releases?: readonly string[];
  /** Upstream's `cloudformation.yaml`, whose policies are compared with ours. */
  readonly template?: string;
}

/** What a comparison found. */
export interface PartSummary {
  readonly agree: number;
  readonly different: number;
}

/** Compares, and says on the way what it finds. */
export type Part = (options: RunOptions, print: (line: string) => void) => Promise<PartSummary>;

/** The options, and the names of the parts to run. */
export function parseOptions(argv: readonly string[], parts: readonly string[]): RunOptions & { readonly only: readonly string[] } {
  return new Command('conformance')
    .description('Holds what this project computes against the real Karpenter; the last line is one JSON object, the exit code 1 where anything differs')
    .option('--only <parts>', `of ${parts.join(', ')}`, names, parts)
    .option('--seed <n>', 'of what is generated', wholeNumber, 1)
    .option('--count <n>', 'scenarios, and mutated objects for each release', wholeNumber)
    .option('--keep <folder>', 'writes there what differs, with both answers')
    .option('--from <n>', 'number of the first scenario', wholeNumber, 0)
    .option('--features <list>', 'of which every scenario has one in turn, alone or beside others', names)
    .option('--runs <n>', 'how often Karpenter is asked about a scenario that differs, or agrees in map order only', wholeNumber, 10)
    .option('--jobs <n>', 'how many scenarios the scheduler\'s oracle solves side by side', wholeNumber, availableParallelism())
    .option('--releases <list>', 'of Karpenter, that objects are shown to: newest, 1.14.0, …', names)
    .option('--template <file>', "upstream's cloudformation.yaml of the newest release, to compare policies with")
    .parse(argv).opts();
}

function names(text: string): string[] {
  return text.split(',');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
