import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';

/** Options of a comparison. */
export interface RunOptions {
  readonly seed: number;
  /** Number of generated inputs; each part has its own default. */
  readonly count?: number;
  /** Number of the first scenario. */
  readonly from: number;
  /** Features to test: every scenario has one of them, alone or with others. @default - drawn at random */
  readonly features?: readonly string[];
  /** How often the oracle solves a scenario that differs, or that agrees in map order only. */
  readonly runs: number;
  /** How often the first pass of a scenario is drawn with random names and UIDs. */
  readonly draws: number;
  /** How many oracle processes run in parallel. */
  readonly jobs: number;
  /** Folder in which differing inputs are saved, with both answers. */
  readonly keep?: string;
  /** Releases of Karpenter for AWS that validate objects. @default - all */
  readonly releases?: readonly string[];
  /** Upstream's `cloudformation.yaml`, whose policies are compared with ours. */
  readonly template?: string;
}

/** The result of one part. */
export interface PartSummary {
  readonly agree: number;
  readonly different: number;
  /** Whether too many scenarios are not evaluated. @default false */
  readonly tooFewEvaluated?: boolean;
}

/** Runs one comparison, and prints what it finds. */
export type Part = (options: RunOptions, print: (line: string) => void) => Promise<PartSummary>;

/** The options, and the names of the parts to run. */
export function parseOptions(
  argv: readonly string[],
  parts: readonly string[],
): RunOptions & { readonly only: readonly string[] } {
  return new Command('conformance')
    .description(
      'Compares the results of this project with the real Karpenter. The last line is one JSON object; the exit code is 1 if anything differs, or if too little is evaluated',
    )
    .option('--only <parts>', `comparisons to run: ${parts.join(', ')}`, names, parts)
    .option('--seed <n>', 'seed of the generators', wholeNumber, 1)
    .option('--count <n>', 'number of scenarios, and of mutated objects for each release', wholeNumber)
    .option('--keep <folder>', 'folder in which differing inputs are saved, with both answers')
    .option('--from <n>', 'number of the first scenario', wholeNumber, 0)
    .option(
      '--features <list>',
      'features to test: every scenario has one of them in turn, alone or with others',
      names,
    )
    .option(
      '--runs <n>',
      'how often Karpenter solves a scenario that differs, or that agrees in map order only',
      wholeNumber,
      10,
    )
    .option(
      '--draws <n>',
      'how often Karpenter makes the first pass of a scenario with random names and UIDs; 0 for never',
      wholeNumber,
      5,
    )
    .option('--jobs <n>', 'how many oracle processes run in parallel', wholeNumber, availableParallelism())
    .option('--releases <list>', 'releases of Karpenter that validate objects: newest, 1.14.0, …', names)
    .option(
      '--template <file>',
      "upstream's cloudformation.yaml of the newest release, whose policies are compared with ours",
    )
    .parse(argv)
    .opts();
}

function names(text: string): string[] {
  return text.split(',');
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
