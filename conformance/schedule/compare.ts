import { scheduleContest } from './contest';
import { Oracle } from './oracle';
import { compareAll, featureOf, TournamentOptions, TournamentSummary } from '../tournament';

export interface ScheduleSummary extends TournamentSummary {
  /** In the scenarios that were compared. */
  readonly pods: number;
}

/** Generates scenarios, and has both schedulers solve them. */
export async function compareSchedules(options: TournamentOptions, print: (line: string) => void): Promise<ScheduleSummary> {
  let pods = 0;
  const contest = (seed: number, number: number) => {
    const one = scheduleContest(seed, number, featureOf(options, number));
    if (one.notEvaluated.length === 0) pods += one.pods;
    return one;
  };
  const { versions, ...summary } = await compareAll({ builds: Oracle, contest }, options, print);
  return { ...summary, pods, versions };
}
