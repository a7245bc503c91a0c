import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OracleError } from './oracle-process';
import { Oracles, Stoppable } from './oracles';

/** How two answers stand to each other; what differs is said of the first that does. */
export interface Comparison {
  readonly verdict: 'identical' | 'equivalent' | 'different';
  readonly difference?: string;
}

/** How it came out. What Karpenter leaves to chance it decides as we do in the order of keys, or it came to our answer by itself. */
export type Outcome = Comparison['verdict'] | 'inMapOrder' | 'byChance' | 'notEvaluated';

/** What Karpenter itself, asked again and again, made of a scenario: our answer once, several of its own, or always the same other one. */
export type Chance = 'ours' | 'others' | 'neither';

/** One scenario with our answer to it. */
export interface Contest<Oracle, Answer> {
  readonly scenario: { readonly name: string; readonly features: readonly string[]; readonly manifests: string; readonly cluster: string };
  readonly mine: Answer;
  /** What of it we have no model for; a scenario with any is not compared. */
  readonly notEvaluated: readonly string[];
  ask(oracle: Oracle): Promise<Answer>;
  compare(expected: Answer, given: Answer): Comparison;
  /** What is kept beside manifests and cluster, where the answers differ. */
  kept(): object;
}

export interface JudgeOptions {
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /** How often the oracle is asked about a scenario that differs, or agrees in map order only, to see what it leaves to chance. */
  readonly runs: number;
}

/** Holds our answers against those of the oracles. */
export class Judge<Oracle extends Stoppable> {
  public constructor(
    private readonly oracles: Oracles<Oracle>, private readonly options: JudgeOptions, private readonly print: (line: string) => void,
  ) {}

  public async outcome<Answer>(contest: Contest<Oracle, Answer>): Promise<Outcome> {
    if (contest.notEvaluated.length > 0) return 'notEvaluated';
    try {
      return await this.compared(contest);
    } catch (error) {
      if (!(error instanceof OracleError)) throw error;
      this.tell(contest, error.message, []);
      return 'different';
    }
  }

  /** Whether Karpenter, as it is, gives our answer at times, or at least more than one. */
  public async chance<Answer>(contest: Contest<Oracle, Answer>): Promise<Chance> {
    const oracle = await this.oracles.karpenter();
    let first: Answer | undefined;
    for (let run = 0; run < this.options.runs; run += 1) {
      const answer = await contest.ask(oracle);
      if (agree(contest, answer)) return 'ours';
      first ??= answer;
      if (!agree(contest, answer, first)) return 'others';
    }
    return 'neither';
  }

  private async compared<Answer>(contest: Contest<Oracle, Answer>): Promise<Outcome> {
    const oracle = await this.oracles.karpenter();
    const first = await contest.ask(oracle);
    const { verdict } = contest.compare(first, contest.mine);
    if (verdict !== 'different') return verdict;
    const ordered = await contest.ask(await this.oracles.karpenterInMapOrder());
    const comparison = contest.compare(ordered, contest.mine);
    if (comparison.verdict !== 'different') return 'inMapOrder';
    const answers = [ordered, first];
    for (let run = 1; run < this.options.runs; run += 1) {
      const answer = await contest.ask(oracle);
      if (agree(contest, answer)) return 'byChance';
      if (!answers.some((known) => agree(contest, answer, known))) answers.push(answer);
    }
    this.tell(contest, comparison.difference ?? '', answers);
    return 'different';
  }

  /** `answers`: that in map order first. */
  private tell<Answer>({ scenario, kept }: Contest<Oracle, Answer>, difference: string, answers: readonly Answer[]): void {
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

function agree<Oracle, Answer>(contest: Contest<Oracle, Answer>, answer: Answer, given: Answer = contest.mine): boolean {
  return contest.compare(answer, given).verdict !== 'different';
}
