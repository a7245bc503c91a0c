import { DrainAnswer } from './answer';
import { difference } from './equivalence';
import { DrainOracle } from './oracle';
import { ours } from './ours';
import { RecordableContest } from '../recorder';
import { generate, scenarioHash } from './scenario';

/** The nodes of this number for both. */
export function drainContest(seed: number, number: number): RecordableContest<DrainOracle, DrainAnswer> {
  const scenario = generate(seed, number);
  const { deleted, times, now } = scenario;
  const mine = ours(scenario);
  return {
    scenario,
    mine,
    notEvaluated: [],
    ask: (oracle) => oracle.play(scenario),
    compare: (expected, given) => {
      const what = difference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    kept: () => ({ now, deleted, times, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: false,
    brief: (answer) => answer,
  };
}
