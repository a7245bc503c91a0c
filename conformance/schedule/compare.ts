import { Case, CaseOptions, Chance, Oracles, Outcome } from './case';
import { Versions } from './oracle';
import { ours } from './ours';
import { Progress } from '../progress';
import { generate } from './scenario/generate';

export interface ScheduleOptions extends CaseOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
}

const AGREEMENT: readonly Outcome[] = ['identical', 'equivalent', 'inMapOrder', 'byChance'];

export interface ScheduleSummary extends Readonly<Record<Exclude<Outcome, 'different'>, number>> {
  readonly scenarios: number;
  /** `identical`, `equivalent`, `inMapOrder` and `byChance` together. */
  readonly agree: number;
  readonly different: number;
  /** Of those in map order, how many are shown to be left to chance by Karpenter's own answers. */
  readonly shown: Readonly<Record<Chance, number>>;
  /** In the scenarios that were compared. */
  readonly pods: number;
  readonly versions: Versions;
}

/** Generates scenarios, has both schedulers solve them, and compares. Tells `print` of what differs. */
export async function compareSchedules(options: ScheduleOptions, print: (line: string) => void): Promise<ScheduleSummary> {
  const oracles = new Oracles();
  try {
    const { versions } = await oracles.karpenter();
    for (const [module, version] of Object.entries(versions)) print(`${module} ${version}`);
    return { scenarios: options.count, ...await compareAll(options, oracles, print), versions };
  } finally {
    oracles.stop();
  }
}

async function compareAll(options: ScheduleOptions, oracles: Oracles, print: (line: string) => void) {
  const { seed, count, from } = options;
  const counts: Record<Outcome, number> = { identical: 0, equivalent: 0, inMapOrder: 0, byChance: 0, different: 0, notEvaluated: 0 };
  const shown: Record<Chance, number> = { ours: 0, others: 0, neither: 0 };
  const progress = new Progress(count);
  let pods = 0;
  for (let number = from; number < from + count; number += 1) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    const judged = new Case(scenario, mine, options, print);
    const outcome = mine.notEvaluated.length > 0 ? 'notEvaluated' : await judged.judge(oracles);
    counts[outcome] += 1;
    if (outcome === 'inMapOrder') shown[await judged.chance(oracles)] += 1;
    if (outcome !== 'notEvaluated') pods += mine.workloadOf.size;
    progress.step(`${counts.different} differ`);
  }
  progress.end();
  return { agree: AGREEMENT.reduce((sum, outcome) => sum + counts[outcome], 0), ...counts, shown, pods };
}
