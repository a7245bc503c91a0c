import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Answer } from './answer';
import { compare, Comparison } from './equivalence';
import { Oracle } from './oracle';
import { OurAnswer } from './ours';
import { OracleError } from '../oracle-process';
import { freeZones, Scenario } from './scenario/generate';

/** How it came out. What Karpenter leaves to chance it decides as we do in the order of keys, or it came to our answer by itself. */
export type Outcome = Comparison['verdict'] | 'inMapOrder' | 'byChance' | 'notEvaluated';

/** What Karpenter itself, asked again and again, made of a scenario: our answer once, several of its own, or always the same other one. */
export type Chance = 'ours' | 'others' | 'neither';

export interface CaseOptions {
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /** How often the oracle solves a scenario that differs, or agrees in map order only, to see what it leaves to chance. */
  readonly runs: number;
}

/** Started when they are first asked. */
export class Oracles {
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
    for (const oracle of [this.plain, this.inMapOrder]) void oracle?.then((each) => each.stop());
  }
}

/** One scenario and our answer to it. */
export class Case {
  public constructor(
    private readonly scenario: Scenario,
    private readonly mine: OurAnswer,
    private readonly options: CaseOptions,
    private readonly print: (line: string) => void,
  ) {}

  public async judge(oracles: Oracles): Promise<Outcome> {
    try {
      return await this.compare(oracles);
    } catch (error) {
      if (!(error instanceof OracleError)) throw error;
      this.tell(error.message, []);
      return 'different';
    }
  }

  private async compare(oracles: Oracles): Promise<Outcome> {
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

  /** Whether Karpenter, as it is, gives our answer at times, or at least more than one. */
  public async chance(oracles: Oracles): Promise<Chance> {
    const oracle = await oracles.karpenter();
    let first: Answer | undefined;
    for (let run = 0; run < this.options.runs; run += 1) {
      const [answer] = await oracle.solve(this.scenario, 1);
      if (this.against(answer).verdict !== 'different') return 'ours';
      first ??= answer;
      if (this.against(answer, first).verdict === 'different') return 'others';
    }
    return 'neither';
  }

  private against(answer: Answer, given: Answer = this.mine): Comparison {
    return compare(answer, given, this.mine.workloadOf, freeZones(this.scenario));
  }

  /** `answers`: that in map order first. */
  private tell(difference: string, answers: readonly Answer[]): void {
    const { name, features, settings, manifests, cluster } = this.scenario;
    this.print(`${name} (${features.join(', ')}): ${difference}; the oracle gave ${answers.length} answers`);
    const { keep } = this.options;
    if (keep === undefined) return;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${name}.yaml`), `${manifests}\n`);
    if (cluster !== '') writeFileSync(join(keep, `${name}.cluster.yaml`), `${cluster}\n`);
    const { nodeClaims, nodes, unschedulable } = this.mine;
    writeFileSync(join(keep, `${name}.json`), `${JSON.stringify({ features, settings, ours: { nodeClaims, nodes, unschedulable }, oracle: answers }, null, 1)}\n`);
  }
}
