import { DrainAnswer } from './answer';
import { firstDifference } from './equivalence';
import { DrainOracle } from './oracle';
import { ourAnswer } from './our-answer';
import { RecordableComparison } from '../recorder';
import { generate, scenarioHash } from './scenario';
import { ComparisonOptions, ComparisonSummary, compareAll } from '../comparison-run';

/** The comparison of one generated scenario. */
export function drainComparison(seed: number, number: number): RecordableComparison<DrainOracle, DrainAnswer> {
  const scenario = generate(seed, number);
  const { deleted, times, now } = scenario;
  const mine = ourAnswer(scenario);
  return {
    scenario,
    ourAnswer: mine,
    notEvaluated: [],
    askOracle: (oracle) => oracle.drain(scenario),
    compare: (expected, given) => {
      const what = firstDifference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    details: () => ({ now, deleted, times, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: false,
    brief: (answer) => answer,
  };
}

/** Generates deleted nodes, and compares how both sides drain them. */
export function compareDrains(options: ComparisonOptions, print: (line: string) => void): Promise<ComparisonSummary> {
  return compareAll({ builds: DrainOracle, comparison: drainComparison }, options, print);
}
