import { DisruptionAnswer } from './answer';
import { difference } from './equivalence';
import { DisruptionOracle } from './oracle';
import { ours } from './ours';
import { brief, scenarioHash } from './recording';
import { RecordableContest } from '../recorder';
import { generate } from './scenario/generate';

const MOST_RECORDED_NODES = 16;

/** The cluster of this number for both. */
export function disruptionContest(seed: number, number: number, feature?: string): RecordableContest<DisruptionOracle, DisruptionAnswer> {
  const scenario = generate(seed, number, feature);
  const { notEvaluated, ...mine } = ours(scenario);
  const { settings, now, nominated, later } = scenario;
  return {
    scenario,
    mine,
    notEvaluated,
    ask: (oracle) => oracle.decide(scenario),
    compare: (expected, given) => {
      const what = difference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    kept: () => ({ settings, now, nominated, later, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: scenario.cluster.split('"kind":"NodeClaim"').length > MOST_RECORDED_NODES,
    brief,
  };
}
