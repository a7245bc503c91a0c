import { disruptionContest } from './contest';
import { DisruptionOracle } from './oracle';
import { compareAll, featureOf, TournamentOptions, TournamentSummary } from '../tournament';

export interface DisruptionSummary extends TournamentSummary {
  /** Of the scenarios that were compared, how many have a command of the method. */
  readonly commands: Readonly<Record<string, number>>;
  /** NodeClaims of these that have drifted. */
  readonly drifted: number;
}

/** Generates clusters, and asks both what they would disrupt. */
export async function compareDisruption(options: TournamentOptions, print: (line: string) => void): Promise<DisruptionSummary> {
  const commands: Record<string, number> = {};
  let drifted = 0;
  const contest = (seed: number, number: number) => {
    const one = disruptionContest(seed, number, featureOf(options, number));
    if (one.notEvaluated.length > 0) return one;
    for (const { method } of one.mine.methods.filter((each) => each.commands.length > 0)) commands[method] = (commands[method] ?? 0) + 1;
    drifted += Object.keys(one.mine.drifts ?? {}).length;
    return one;
  };
  const { versions, ...summary } = await compareAll({ builds: DisruptionOracle, contest }, options, print);
  return { ...summary, commands, drifted, versions };
}
