import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Answer } from './answer';
import { compare, Comparison } from './equivalence';
import { Oracle, Versions } from './oracle';
import { OurAnswer, ours } from './ours';
import { freeZones, generate, Scenario } from './scenario/generate';

export interface ScheduleOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. */
  readonly from: number;
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /** How often the oracle solves a scenario that differs, to see whether it gives our answer too. */
  readonly runs: number;
}

/** How it came out. What Karpenter leaves to chance it decides as we do in the order of keys, or it came to our answer by itself. */
type Outcome = Comparison['verdict'] | 'inMapOrder' | 'byChance' | 'notEvaluated';

const AGREEMENT: readonly Outcome[] = ['identical', 'equivalent', 'inMapOrder', 'byChance'];

export interface ScheduleSummary extends Readonly<Record<Exclude<Outcome, 'different'>, number>> {
  readonly scenarios: number;
  /** `identical`, `equivalent`, `inMapOrder` and `byChance` together. */
  readonly agree: number;
  readonly different: number;
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
    const { counts, pods } = await compareAll(options, oracles, print);
    return { scenarios: options.count, agree: AGREEMENT.reduce((sum, outcome) => sum + counts[outcome], 0), ...counts, pods, versions };
  } finally {
    oracles.stop();
  }
}

async function compareAll(options: ScheduleOptions, oracles: Oracles, print: (line: string) => void) {
  const { seed, count, from } = options;
  const counts: Record<Outcome, number> = { identical: 0, equivalent: 0, inMapOrder: 0, byChance: 0, different: 0, notEvaluated: 0 };
  let pods = 0;
  for (let number = from; number < from + count; number += 1) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    const outcome = mine.notEvaluated.length > 0 ? 'notEvaluated' : await new Case(scenario, mine, options, print).judge(oracles);
    counts[outcome] += 1;
    if (outcome !== 'notEvaluated') pods += mine.workloadOf.size;
  }
  return { counts, pods };
}

/** Started when they are first asked. */
class Oracles {
  private plain?: Promise<Oracle>;
  private inMapOrder?: Promise<Oracle>;

  public karpenter(): Promise<Oracle> {
    this.plain ??= Oracle.start();
    return this.plain;
  }

  public karpenterInMapOrder(): Promise<Oracle> {
    this.inMapOrder ??= Oracle.startInMapOrder();
    return this.inMapOrder;
  }

  public stop(): void {
    for (const oracle of [this.plain, this.inMapOrder]) void oracle?.then(({ stop }) => stop());
  }
}

/** One scenario and our answer to it. */
class Case {
  public constructor(
    private readonly scenario: Scenario,
    private readonly mine: OurAnswer,
    private readonly options: ScheduleOptions,
    private readonly print: (line: string) => void,
  ) {}

  public async judge(oracles: Oracles): Promise<Outcome> {
    const oracle = await oracles.karpenter();
    const [first] = await oracle.solve(this.scenario, 1);
    const { verdict } = this.against(first);
    if (verdict !== 'different') return verdict;
    const [ordered] = await (await oracles.karpenterInMapOrder()).solve(this.scenario, 1);
    const comparison = this.against(ordered);
    if (comparison.verdict !== 'different') return 'inMapOrder';
    const answers = [ordered, first];
    for (let run = 1; run < this.options.runs; run += 1) {
      const [answer] = await oracle.solve(this.scenario, 1);
      if (this.against(answer).verdict !== 'different') return 'byChance';
      if (!answers.some((known) => JSON.stringify(known) === JSON.stringify(answer))) answers.push(answer);
    }
    this.tell(comparison.difference ?? '', answers);
    return 'different';
  }

  private against(answer: Answer): Comparison {
    return compare(answer, this.mine, this.mine.workloadOf, freeZones(this.scenario));
  }

  /** `answers`: that in map order first. */
  private tell(difference: string, answers: readonly Answer[]): void {
    const { name, features, settings, manifests } = this.scenario;
    this.print(`${name} (${features.join(', ')}): ${difference}; the oracle gave ${answers.length} answers`);
    const { keep } = this.options;
    if (keep === undefined) return;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${name}.yaml`), `${manifests}\n`);
    const { nodeClaims, unschedulable } = this.mine;
    writeFileSync(join(keep, `${name}.json`), `${JSON.stringify({ features, settings, ours: { nodeClaims, unschedulable }, oracle: answers }, null, 1)}\n`);
  }
}
