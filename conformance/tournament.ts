import { Chance, Contest, Judge, JudgeOptions, Outcome } from './contest';
import { Versions } from './oracle-process';
import { Builds, Oracles, Stoppable } from './oracles';
import { Progress } from './progress';

export interface TournamentOptions extends JudgeOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** Oracles that are asked side by side. */
  readonly jobs: number;
  /** Of which every scenario has one. */
  readonly features?: readonly string[];
}

const AGREEMENT: readonly Outcome[] = ['identical', 'equivalent', 'inMapOrder', 'byChance'];

export interface TournamentSummary extends Readonly<Record<Exclude<Outcome, 'different'>, number>> {
  readonly scenarios: number;
  /** `identical`, `equivalent`, `inMapOrder` and `byChance` together. */
  readonly agree: number;
  readonly different: number;
  /** Of those in map order, how many are shown to be left to chance by Karpenter's own answers. */
  readonly shown: Readonly<Record<Chance, number>>;
  readonly versions: Versions;
}

export interface Tournament<Oracle extends Stoppable, Answer> {
  readonly builds: Builds<Oracle>;
  /** Generates the scenario of this number, and answers it. */
  contest(seed: number, number: number): Contest<Oracle, Answer>;
}

/** Has both answer every scenario, and compares. Tells `print` of what differs. */
export async function compareAll<Oracle extends Stoppable, Answer>(
  tournament: Tournament<Oracle, Answer>, options: TournamentOptions, print: (line: string) => void,
): Promise<TournamentSummary> {
  const oracles = Array.from({ length: options.jobs }, () => new Oracles(tournament.builds));
  try {
    const { versions } = await oracles[0].karpenter();
    for (const [module, version] of Object.entries(versions)) print(`${module} ${version}`);
    const tally = new Tally(options.count);
    await Promise.all(oracles.map((each, job) => compareSome(tournament, options, job, new Judge(each, options, print), tally)));
    return { scenarios: options.count, ...tally.summary(), versions };
  } finally {
    for (const each of oracles) each.stop();
  }
}

/** Every so many-th scenario, so that the jobs have alike ones. */
async function compareSome<Oracle extends Stoppable, Answer>(
  tournament: Tournament<Oracle, Answer>, { seed, count, from, jobs }: TournamentOptions, job: number, judge: Judge<Oracle>, tally: Tally,
): Promise<void> {
  for (let number = from + job; number < from + count; number += jobs) {
    const contest = tournament.contest(seed, number);
    await tally.progress.watch(contest.scenario.name, async () => {
      const outcome = await judge.outcome(contest);
      tally.add(outcome, outcome === 'inMapOrder' ? await judge.chance(contest) : undefined);
    });
  }
}

/** The one that is the scenario's turn, of two that follow each other the same: one has it alone, the other beside others. */
export function featureOf({ features = [] }: Pick<TournamentOptions, 'features'>, number: number): string | undefined {
  return features[Math.floor(number / 2) % features.length];
}

class Tally {
  private readonly counts: Record<Outcome, number> = { identical: 0, equivalent: 0, inMapOrder: 0, byChance: 0, different: 0, notEvaluated: 0 };
  private readonly shown: Record<Chance, number> = { ours: 0, others: 0, neither: 0 };
  public readonly progress: Progress;

  public constructor(scenarios: number) {
    this.progress = new Progress(scenarios);
  }

  public add(outcome: Outcome, chance: Chance | undefined): void {
    this.counts[outcome] += 1;
    if (chance) this.shown[chance] += 1;
    this.progress.step(`${this.counts.different} differ`);
  }

  public summary() {
    this.progress.end();
    const agree = AGREEMENT.reduce((sum, outcome) => sum + this.counts[outcome], 0);
    return { agree, ...this.counts, shown: this.shown };
  }
}
