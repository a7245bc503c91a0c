import { playContest } from './contest';
import { PlayOracle } from './oracle';
import { compareAll, featureOf, TournamentOptions, TournamentSummary } from '../tournament';

/** Generates clusters, and has both let time pass in them. */
export function comparePlays(options: TournamentOptions, print: (line: string) => void): Promise<TournamentSummary> {
  const contest = (seed: number, number: number) => playContest(seed, number, featureOf(options, number));
  return compareAll({ builds: PlayOracle, contest }, options, print);
}
