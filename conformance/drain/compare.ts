import { drainContest } from './contest';
import { DrainOracle } from './oracle';
import { compareAll, TournamentOptions, TournamentSummary } from '../tournament';

/** Generates nodes that are deleted, and has both drain them. */
export function compareDrains(options: TournamentOptions, print: (line: string) => void): Promise<TournamentSummary> {
  return compareAll({ builds: DrainOracle, contest: drainContest }, options, print);
}
