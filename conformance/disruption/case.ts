import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DisruptionAnswer } from './answer';
import { difference } from './equivalence';
import { DisruptionOracle } from './oracle';
import { OurAnswer } from './ours';
import { OracleError } from '../oracle-process';
import { DisruptionScenario } from './scenario/generate';

/** How it came out. What Karpenter leaves to chance it decides as we do in the order of keys, or it came to our answer by itself. */
export type Outcome = 'identical' | 'inMapOrder' | 'byChance' | 'different' | 'notEvaluated';

/** What Karpenter itself, asked again and again, made of a scenario: our answer once, several of its own, or always the same other one. */
export type Chance = 'ours' | 'others' | 'neither';

export interface CaseOptions {
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /** How often the oracle is asked about a scenario that differs, or agrees in map order only, to see what it leaves to chance. */
  readonly runs: number;
}

/** Started when they are first asked. */
export class Oracles {
  private plain?: Promise<DisruptionOracle>;
  private inMapOrder?: Promise<DisruptionOracle>;

  public karpenter(): Promise<DisruptionOracle> {
    this.plain ??= DisruptionOracle.start();
    return this.plain;
  }

  public karpenterInMapOrder(): Promise<DisruptionOracle> {
    this.inMapOrder ??= DisruptionOracle.startInMapOrder();
    return this.inMapOrder;
  }

  public stop(): void {
    for (const oracle of [this.plain, this.inMapOrder]) void oracle?.then((each) => each.stop());
  }
}

/** One scenario and our answer to it. */
export class Case {
  public constructor(
    private readonly scenario: DisruptionScenario,
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
    const first = await oracle.decide(this.scenario);
    if (difference(first, this.mine) === undefined) return 'identical';
    const ordered = await (await oracles.karpenterInMapOrder()).decide(this.scenario);
    const what = difference(ordered, this.mine);
    if (what === undefined) return 'inMapOrder';
    const answers = [ordered, first];
    for (let run = 1; run < this.options.runs; run += 1) {
      const answer = await oracle.decide(this.scenario);
      if (difference(answer, this.mine) === undefined) return 'byChance';
      if (!answers.some((known) => difference(known, answer) === undefined)) answers.push(answer);
    }
    this.tell(what, answers);
    return 'different';
  }

  /** Whether Karpenter, as it is, gives our answer at times, or at least more than one. */
  public async chance(oracles: Oracles): Promise<Chance> {
    const oracle = await oracles.karpenter();
    let first: DisruptionAnswer | undefined;
    for (let run = 0; run < this.options.runs; run += 1) {
      const answer = await oracle.decide(this.scenario);
      if (difference(answer, this.mine) === undefined) return 'ours';
      first ??= answer;
      if (difference(answer, first) !== undefined) return 'others';
    }
    return 'neither';
  }

  /** `answers`: that in map order first. */
  private tell(what: string, answers: readonly DisruptionAnswer[]): void {
    const { name, features, settings, manifests, cluster, now, nominated } = this.scenario;
    this.print(`${name} (${features.join(', ')}): ${what}; the oracle gave ${answers.length} answers`);
    const { keep } = this.options;
    if (keep === undefined) return;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${name}.yaml`), `${manifests}\n`);
    writeFileSync(join(keep, `${name}.cluster.yaml`), `${cluster}\n`);
    writeFileSync(join(keep, `${name}.json`), `${JSON.stringify({ features, settings, now, nominated, ours: this.mine, oracle: answers }, null, 1)}\n`);
  }
}
