import { Versions } from './oracle-process';
import { Builds, Oracles, Stoppable } from './oracles';
import { Progress } from './progress';
import { Chance, ScenarioComparison, AnswerComparer, ComparerOptions, Outcome } from './scenario-comparison';

export interface ComparisonOptions extends ComparerOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** How many oracle processes run in parallel. */
  readonly jobs: number;
  /** Features to test: every scenario has one of them. @default - drawn at random */
  readonly features?: readonly string[];
}

/** A run in which a larger share of the scenarios is not evaluated shows too little, and fails. */
export const MOST_NOT_EVALUATED = 0.05;

const AGREEMENT: readonly Outcome[] = ['identical', 'equivalent', 'inMapOrder', 'byChance'];

export interface ComparisonSummary extends Readonly<Record<Exclude<Outcome, 'different'>, number>> {
  readonly scenarios: number;
  /** `identical`, `equivalent`, `inMapOrder` and `byChance` together. */
  readonly agree: number;
  readonly different: number;
  /** Whether more scenarios than `MOST_NOT_EVALUATED` are not evaluated. */
  readonly tooFewEvaluated: boolean;
  /** Scenarios `inMapOrder` by the answers that the unmodified Karpenter gave in repeated runs. */
  readonly shown: Readonly<Record<Chance, number>>;
  readonly versions: Versions;
}

export interface ComparisonRun<Oracle extends Stoppable, Answer> {
  readonly builds: Builds<Oracle>;
  /** Generates the scenario of this number, and computes our answer. */
  comparison(seed: number, number: number): ScenarioComparison<Oracle, Answer>;
}

/** Compares both answers for every scenario, and prints the differences. */
export async function compareAll<Oracle extends Stoppable, Answer>(
  run: ComparisonRun<Oracle, Answer>,
  options: ComparisonOptions,
  print: (line: string) => void,
): Promise<ComparisonSummary> {
  const oracles = Array.from({ length: options.jobs }, () => new Oracles(run.builds));
  try {
    const { versions } = await oracles[0].karpenter();
    for (const [module, version] of Object.entries(versions)) print(`${module} ${version}`);
    const tally = new Tally(options.count);
    await Promise.all(
      oracles.map((jobOracles, job) =>
        compareSome(run, options, job, new AnswerComparer(jobOracles, options, print), tally),
      ),
    );
    return { scenarios: options.count, ...tally.summary(), versions };
  } finally {
    for (const jobOracles of oracles) jobOracles.stop();
  }
}

/** Compares the scenarios of one job. A job takes every `jobs`-th scenario, so that all jobs have similar work. */
async function compareSome<Oracle extends Stoppable, Answer>(
  run: ComparisonRun<Oracle, Answer>,
  { seed, count, from, jobs }: ComparisonOptions,
  job: number,
  comparer: AnswerComparer<Oracle>,
  tally: Tally,
): Promise<void> {
  for (let number = from + job; number < from + count; number += jobs) {
    const comparison = run.comparison(seed, number);
    await tally.progress.watch(comparison.scenario.name, async () => {
      const outcome = await comparer.outcome(comparison);
      tally.add(outcome, outcome === 'inMapOrder' ? await comparer.chance(comparison) : undefined);
    });
  }
}

/** The feature of a scenario. Two consecutive scenarios have the same one: the first alone, the second with others. */
export function featureOf({ features = [] }: Pick<ComparisonOptions, 'features'>, number: number): string | undefined {
  return features[Math.floor(number / 2) % features.length];
}

/** Whether the scenarios that are not evaluated are too many beside the compared ones. */
export function isTooFew(notEvaluated: number, compared: number): boolean {
  return notEvaluated > MOST_NOT_EVALUATED * (notEvaluated + compared);
}

class Tally {
  private readonly counts: Record<Outcome, number> = {
    identical: 0,
    equivalent: 0,
    inMapOrder: 0,
    byChance: 0,
    different: 0,
    notEvaluated: 0,
  };
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
    return {
      agree,
      ...this.counts,
      tooFewEvaluated: isTooFew(this.counts.notEvaluated, agree + this.counts.different),
      shown: this.shown,
    };
  }
}
