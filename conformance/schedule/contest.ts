import { Answer } from './answer';
import { compare } from './equivalence';
import { Oracle } from './oracle';
import { ours } from './ours';
import { brief, scenarioHash } from './recording';
import { RecordableContest } from '../recorder';
import { freeZones, generate } from './scenario/generate';

const MOST_RECORDED_PODS = 150;

export interface ScheduleContest extends RecordableContest<Oracle, Answer> {
  readonly pods: number;
}

/** The scenario of this number for both schedulers. */
export function scheduleContest(seed: number, number: number, feature?: string): ScheduleContest {
  const scenario = generate(seed, number, feature);
  const { workloadOf, notEvaluated, ...mine } = ours(scenario);
  return {
    scenario,
    mine,
    notEvaluated,
    pods: workloadOf.size,
    ask: async (oracle) => (await oracle.solve(scenario, 1))[0],
    compare: (expected, given) => compare(expected, given, workloadOf, freeZones(scenario)),
    kept: () => ({ settings: scenario.settings, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: workloadOf.size > MOST_RECORDED_PODS,
    brief,
  };
}
