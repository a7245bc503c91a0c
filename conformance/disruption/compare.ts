import { Case, CaseOptions, Chance, Oracles, Outcome } from './case';
import { ours } from './ours';
import { Versions } from '../oracle-process';
import { Progress } from '../progress';
import { generate } from './scenario/generate';

export interface DisruptionOptions extends CaseOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** Oracles that are asked side by side. */
  readonly jobs: number;
}

const AGREEMENT: readonly Outcome[] = ['identical', 'inMapOrder', 'byChance'];

export interface DisruptionSummary extends Readonly<Record<Exclude<Outcome, 'different'>, number>> {
  readonly scenarios: number;
  /** `identical`, `inMapOrder` and `byChance` together. */
  readonly agree: number;
  readonly different: number;
  /** Of those in map order, how many are shown to be left to chance by Karpenter's own answers. */
  readonly shown: Readonly<Record<Chance, number>>;
  /** Of the scenarios that were compared, how many have a command of the method. */
  readonly commands: Readonly<Record<string, number>>;
  readonly versions: Versions;
}

/** Generates clusters, asks both what they would disrupt, and compares. Tells `print` of what differs. */
export async function compareDisruption(options: DisruptionOptions, print: (line: string) => void): Promise<DisruptionSummary> {
  const oracles = Array.from({ length: options.jobs }, () => new Oracles());
  try {
    const { versions } = await oracles[0].karpenter();
    for (const [module, version] of Object.entries(versions)) print(`${module} ${version}`);
    const tally = new Tally(options.count);
    await Promise.all(oracles.map((each, job) => compareSome(job, options, each, tally, print)));
    return { scenarios: options.count, ...tally.summary(), versions };
  } finally {
    for (const each of oracles) each.stop();
  }
}

/** Every so many-th scenario, so that the jobs have alike ones. */
async function compareSome(job: number, options: DisruptionOptions, oracles: Oracles, tally: Tally, print: (line: string) => void): Promise<void> {
  const { seed, count, from, jobs } = options;
  for (let number = from + job; number < from + count; number += jobs) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    const judged = new Case(scenario, mine, options, print);
    const outcome = mine.notEvaluated.length > 0 ? 'notEvaluated' : await judged.judge(oracles);
    const methods = mine.methods.filter(({ commands }) => commands.length > 0).map(({ method }) => method);
    tally.add(outcome, methods, outcome === 'inMapOrder' ? await judged.chance(oracles) : undefined);
  }
}

class Tally {
  private readonly counts: Record<Outcome, number> = { identical: 0, inMapOrder: 0, byChance: 0, different: 0, notEvaluated: 0 };
  private readonly shown: Record<Chance, number> = { ours: 0, others: 0, neither: 0 };
  private readonly commands: Record<string, number> = {};
  private readonly progress: Progress;

  public constructor(scenarios: number) {
    this.progress = new Progress(scenarios);
  }

  public add(outcome: Outcome, methods: readonly string[], chance: Chance | undefined): void {
    this.counts[outcome] += 1;
    if (chance) this.shown[chance] += 1;
    if (outcome !== 'notEvaluated') for (const method of methods) this.commands[method] = (this.commands[method] ?? 0) + 1;
    this.progress.step(`${this.counts.different} differ`);
  }

  public summary() {
    this.progress.end();
    const agree = AGREEMENT.reduce((sum, outcome) => sum + this.counts[outcome], 0);
    return { agree, ...this.counts, shown: this.shown, commands: this.commands };
  }
}
