import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OracleError } from './oracle-process';
import { Oracles, Stoppable } from './oracles';

/** The result of comparing two answers, with a sentence about the first difference. */
export interface AnswerComparison {
  readonly verdict: 'identical' | 'equivalent' | 'different';
  readonly difference?: string;
}

/**
 * The result for a scenario. If Karpenter leaves a choice to chance, it gave our answer with ordered maps
 * (`inMapOrder`) or in a repeated run (`byChance`).
 */
export type Outcome = AnswerComparison['verdict'] | 'inMapOrder' | 'byChance' | 'notEvaluated';

/**
 * Answers of the unmodified Karpenter in repeated runs: ours at least once, several different ones, or always the same
 * other one.
 */
export type Chance = 'ours' | 'others' | 'neither';

/** One scenario with our answer. */
export interface ScenarioComparison<Oracle, Answer> {
  readonly scenario: {
    readonly name: string;
    readonly features: readonly string[];
    readonly manifests: string;
    readonly cluster: string;
  };
  readonly ourAnswer: Answer;
  /** Parts of the scenario that are not modelled; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
  askOracle(oracle: Oracle): Promise<Answer>;
  compare(expected: Answer, given: Answer): AnswerComparison;
  /** Details to save besides manifests and cluster if the answers differ. */
  details(): object;
}

export interface ComparerOptions {
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /**
   * How often the oracle solves a scenario that differs, or that agrees in map order only, to see what it leaves to
   * chance.
   */
  readonly runs: number;
}

/** Compares our answers with those of the oracles. */
export class AnswerComparer<Oracle extends Stoppable> {
  public constructor(
    private readonly oracles: Oracles<Oracle>,
    private readonly options: ComparerOptions,
    private readonly print: (line: string) => void,
  ) {}

  public async outcome<Answer>(comparison: ScenarioComparison<Oracle, Answer>): Promise<Outcome> {
    if (comparison.notEvaluated.length > 0) return 'notEvaluated';
    try {
      return await this.compared(comparison);
    } catch (error) {
      if (!(error instanceof OracleError)) throw error;
      this.report(comparison, error.message, []);
      return 'different';
    }
  }

  /** Whether the unmodified Karpenter sometimes gives our answer, or at least more than one answer. */
  public async chance<Answer>(comparison: ScenarioComparison<Oracle, Answer>): Promise<Chance> {
    const oracle = await this.oracles.karpenter();
    let first: Answer | undefined;
    for (let run = 0; run < this.options.runs; run += 1) {
      const answer = await comparison.askOracle(oracle);
      if (agree(comparison, answer)) return 'ours';
      first ??= answer;
      if (!agree(comparison, answer, first)) return 'others';
    }
    return 'neither';
  }

  private async compared<Answer>(comparison: ScenarioComparison<Oracle, Answer>): Promise<Outcome> {
    const oracle = await this.oracles.karpenter();
    const first = await comparison.askOracle(oracle);
    const { verdict } = comparison.compare(first, comparison.ourAnswer);
    if (verdict !== 'different') return verdict;
    const ordered = await comparison.askOracle(await this.oracles.karpenterInMapOrder());
    const inMapOrder = comparison.compare(ordered, comparison.ourAnswer);
    if (inMapOrder.verdict !== 'different') return 'inMapOrder';
    const answers = [ordered, first];
    for (let run = 1; run < this.options.runs; run += 1) {
      const answer = await comparison.askOracle(oracle);
      if (agree(comparison, answer)) return 'byChance';
      if (!answers.some((earlier) => agree(comparison, answer, earlier))) answers.push(answer);
    }
    this.report(comparison, inMapOrder.difference ?? '', answers);
    return 'different';
  }

  /** @param answers answers of the oracle, beginning with the one in map order */
  private report<Answer>(
    { scenario, details: kept }: ScenarioComparison<Oracle, Answer>,
    difference: string,
    answers: readonly Answer[],
  ): void {
    const { name, features, manifests, cluster } = scenario;
    this.print(`${name} (${features.join(', ')}): ${difference}; the oracle gave ${answers.length} answers`);
    const { keep } = this.options;
    if (keep === undefined) return;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${name}.yaml`), `${manifests}\n`);
    if (cluster !== '') writeFileSync(join(keep, `${name}.cluster.yaml`), `${cluster}\n`);
    writeFileSync(join(keep, `${name}.json`), `${JSON.stringify({ features, ...kept(), oracle: answers }, null, 1)}\n`);
  }
}

function agree<Oracle, Answer>(
  comparison: ScenarioComparison<Oracle, Answer>,
  answer: Answer,
  given: Answer = comparison.ourAnswer,
): boolean {
  return comparison.compare(answer, given).verdict !== 'different';
}
