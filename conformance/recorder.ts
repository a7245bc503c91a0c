import { featureOf } from './comparison-run';
import { Builds, Stoppable } from './oracles';
import { ScenarioComparison } from './scenario-comparison';

/** A comparison that can be recorded for the tests, which then need no oracle. */
export interface RecordableComparison<Oracle, Answer> extends ScenarioComparison<Oracle, Answer> {
  /** Hash of the oracle's whole input; shows whether the generator still makes the same scenario. */
  readonly hash: string;
  /** Whether the recording would be long without testing more than others. */
  readonly isLong: boolean;
  /** Shortens an answer for the recording. */
  brief(answer: Answer): Answer;
}

/** Arguments of the command line: `SEED COUNT [FROM [FEATURES]]`. */
export interface RecordOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** Features to test: every scenario has one of them. @default - drawn at random */
  readonly features?: readonly string[];
}

/**
 * Prints the oracle's answers, one per line: the answer of the unmodified Karpenter if it agrees with ours, otherwise
 * the one in map order. If neither agrees with ours, the scenario is left out with a message on stderr.
 */
export async function record<Oracle extends Stoppable, Answer>(
  builds: Builds<Oracle>, comparison: (seed: number, number: number, feature?: string) => RecordableComparison<Oracle, Answer>,
  { seed, count, from, features }: RecordOptions,
): Promise<void> {
  const oracles = [await builds.start(), await builds.startInMapOrder()];
  for (let number = from; number < from + count; number += 1) {
    const feature = featureOf({ features }, number);
    const scenarioComparison = comparison(seed, number, feature);
    if (scenarioComparison.notEvaluated.length > 0 || scenarioComparison.isLong) continue;
    const agreedAnswer = await agreement(scenarioComparison, oracles);
    if (agreedAnswer === undefined) console.error(`${scenarioComparison.scenario.name}: not recorded, because the answers differ`);
    else console.log(JSON.stringify({ seed, number, feature, hash: scenarioComparison.hash, answer: scenarioComparison.brief(agreedAnswer) }));
  }
  for (const oracle of oracles) oracle.stop();
}

async function agreement<Oracle, Answer>(comparison: RecordableComparison<Oracle, Answer>, oracles: readonly Oracle[]): Promise<Answer | undefined> {
  for (const oracle of oracles) {
    const answer = await comparison.askOracle(oracle);
    if (comparison.compare(answer, comparison.ourAnswer).verdict !== 'different') return answer;
  }
  return undefined;
}

/** Reads the options from `process.argv`. */
export function recordOptions([, , seed, count, from = '0', features]: readonly string[]): RecordOptions {
  return { seed: Number(seed), count: Number(count), from: Number(from), features: features?.split(',') };
}

/** Prints the error of a command and sets the exit code. */
export function fail(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}
