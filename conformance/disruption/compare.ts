import { DisruptionAnswer } from './answer';
import { difference } from './equivalence';
import { DisruptionOracle } from './oracle';
import { ours } from './ours';
import { Contest } from '../contest';
import { compareAll, TournamentOptions, TournamentSummary } from '../tournament';
import { generate } from './scenario/generate';

export interface DisruptionSummary extends TournamentSummary {
  /** Of the scenarios that were compared, how many have a command of the method. */
  readonly commands: Readonly<Record<string, number>>;
}

/** Generates clusters, and asks both what they would disrupt. */
export async function compareDisruption(options: TournamentOptions, print: (line: string) => void): Promise<DisruptionSummary> {
  const commands: Record<string, number> = {};
  const contest = (seed: number, number: number): Contest<DisruptionOracle, DisruptionAnswer> => {
    const scenario = generate(seed, number);
    const { notEvaluated, ...mine } = ours(scenario);
    const acting = mine.methods.filter((method) => notEvaluated.length === 0 && method.commands.length > 0);
    for (const { method } of acting) commands[method] = (commands[method] ?? 0) + 1;
    const { settings, now, nominated } = scenario;
    return {
      scenario,
      mine,
      notEvaluated,
      ask: (oracle) => oracle.decide(scenario),
      compare: (expected, given) => {
        const what = difference(expected, given);
        return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
      },
      kept: () => ({ settings, now, nominated, ours: mine }),
    };
  };
  const { versions, ...summary } = await compareAll({ builds: DisruptionOracle, contest }, options, print);
  return { ...summary, commands, versions };
}
