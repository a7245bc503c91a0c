import { Contest } from './contest';
import { Builds, Stoppable } from './oracles';
import { featureOf } from './tournament';

/** A contest whose scenario can be recorded for the tests, which then need no oracle. */
export interface RecordableContest<Oracle, Answer> extends Contest<Oracle, Answer> {
  /** Of all that the oracle is told: whether the generator still makes the same. */
  readonly hash: string;
  /** Whether a recording of it would be long, and say little more than others. */
  readonly isLong: boolean;
  /** What is recorded of an answer. */
  brief(answer: Answer): Answer;
}

/** What the command line says: `SEED COUNT [FROM [FEATURES]]`. */
export interface RecordOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** Of which every scenario has one; whatever is drawn if absent. */
  readonly features?: readonly string[];
}

/**
 * Prints the oracle's answers, a line each: those of Karpenter as it is where they agree with ours, else those in map order. Scenarios on
 * which the two differ are left out and said so, as they have to be looked at first.
 */
export async function record<Oracle extends Stoppable, Answer>(
  builds: Builds<Oracle>, contest: (seed: number, number: number, feature?: string) => RecordableContest<Oracle, Answer>,
  { seed, count, from, features }: RecordOptions,
): Promise<void> {
  const oracles = [await builds.start(), await builds.startInMapOrder()];
  for (let number = from; number < from + count; number += 1) {
    const feature = featureOf({ features }, number);
    const one = contest(seed, number, feature);
    if (one.notEvaluated.length > 0 || one.isLong) continue;
    const agreed = await agreement(one, oracles);
    if (agreed === undefined) console.error(`${one.scenario.name}: left out, the answers differ`);
    else console.log(JSON.stringify({ seed, number, feature, hash: one.hash, answer: one.brief(agreed) }));
  }
  for (const each of oracles) each.stop();
}

async function agreement<Oracle, Answer>(contest: RecordableContest<Oracle, Answer>, oracles: readonly Oracle[]): Promise<Answer | undefined> {
  for (const oracle of oracles) {
    const answer = await contest.ask(oracle);
    if (contest.compare(answer, contest.mine).verdict !== 'different') return answer;
  }
  return undefined;
}

/** Of `process.argv`. */
export function recordOptions([, , seed, count, from = '0', features]: readonly string[]): RecordOptions {
  return { seed: Number(seed), count: Number(count), from: Number(from), features: features?.split(',') };
}

/** For the end of a command. */
export function fail(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}
