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
 * the one in map order. If neither agrees with ours, the recording is open: it has the difference, and `why` is to be
 * written by hand.
 */
export async function record<Oracle extends Stoppable, Answer>(
  builds: Builds<Oracle>,
  comparison: (seed: number, number: number, feature?: string) => RecordableComparison<Oracle, Answer>,
  { seed, count, from, features }: RecordOptions,
): Promise<void> {
  const oracles = [await builds.start(), await builds.startInMapOrder()];
  for (let number = from; number < from + count; number += 1) {
    const feature = featureOf({ features }, number);
    const scenarioComparison = comparison(seed, number, feature);
    // A single scenario is recorded on purpose.
    if (scenarioComparison.notEvaluated.length > 0 || (scenarioComparison.isLong && count > 1)) continue;
    const { answer, open } = await recordedAnswer(scenarioComparison, oracles);
    if (open !== undefined)
      console.error(`${scenarioComparison.scenario.name}: open, because the answers differ: ${open.difference}`);
    console.log(
      JSON.stringify({
        seed,
        number,
        feature,
        hash: scenarioComparison.hash,
        open,
        answer: scenarioComparison.brief(answer),
      }),
    );
  }
  for (const oracle of oracles) oracle.stop();
}

/** A difference that is not fixed yet, or never will be. */
export interface OpenDifference {
  readonly difference: string;
  readonly why: string;
}

interface RecordedAnswer<Answer> {
  readonly answer: Answer;
  readonly open?: OpenDifference;
}

/** The first answer that agrees with ours; otherwise the last one, with its difference. */
async function recordedAnswer<Oracle, Answer>(
  comparison: RecordableComparison<Oracle, Answer>,
  [oracle, ...others]: readonly Oracle[],
): Promise<RecordedAnswer<Answer>> {
  const answer = await comparison.askOracle(oracle);
  const { verdict, difference = '' } = comparison.compare(answer, comparison.ourAnswer);
  if (verdict !== 'different') return { answer };
  return others.length > 0 ? recordedAnswer(comparison, others) : { answer, open: { difference, why: '' } };
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
