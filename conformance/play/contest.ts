import { PlayAnswer } from './answer';
import { difference } from './equivalence';
import { PlayOracle } from './oracle';
import { ours } from './ours';
import { RecordableContest } from '../recorder';
import { generate, scenarioHash } from './scenario';

/** The cluster of this number for both. */
export function playContest(seed: number, number: number, feature?: string): RecordableContest<PlayOracle, PlayAnswer> {
  const scenario = generate(seed, number, feature);
  const { settings, now, played, times } = scenario;
  const mine = ours(scenario);
  return {
    scenario,
    mine,
    notEvaluated: mine.notEvaluated,
    ask: (oracle) => oracle.play(scenario),
    compare: (expected, given) => {
      const what = difference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    kept: () => ({ settings, now, played, times, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: false,
    brief: (answer) => answer,
  };
}
