import { Answer } from './answer';
import { compare } from './equivalence';
import { Oracle } from './oracle';
import { ours } from './ours';
import { Contest } from '../contest';
import { compareAll, TournamentOptions, TournamentSummary } from '../tournament';
import { freeZones, generate } from './scenario/generate';

export interface ScheduleSummary extends TournamentSummary {
  /** In the scenarios that were compared. */
  readonly pods: number;
}

/** Generates scenarios, and has both schedulers solve them. */
export async function compareSchedules(options: TournamentOptions, print: (line: string) => void): Promise<ScheduleSummary> {
  let pods = 0;
  const contest = (seed: number, number: number): Contest<Oracle, Answer> => {
    const scenario = generate(seed, number);
    const { workloadOf, notEvaluated, ...mine } = ours(scenario);
    if (notEvaluated.length === 0) pods += workloadOf.size;
    return {
      scenario,
      mine,
      notEvaluated,
      ask: async (oracle) => (await oracle.solve(scenario, 1))[0],
      compare: (expected, given) => compare(expected, given, workloadOf, freeZones(scenario)),
      kept: () => ({ settings: scenario.settings, ours: mine }),
    };
  };
  const { versions, ...summary } = await compareAll({ builds: Oracle, contest }, options, print);
  return { ...summary, pods, versions };
}
