import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Answer } from './answer';
import { compare, Comparison } from './equivalence';
import { Oracle, Versions } from './oracle';
import { OurAnswer, ours } from './ours';
import { generate, Scenario } from './scenario/generate';

export interface ScheduleOptions {
  readonly seed: number;
  readonly count: number;
  /** The first scenario's number. @default 0 */
  readonly from?: number;
  /** Folder for the scenarios that differ, with both answers. */
  readonly keep?: string;
  /** How often the oracle solves a scenario that differs, to see whether it gives our answer too. @default 10 */
  readonly runs?: number;
}

export interface ScheduleSummary {
  readonly scenarios: number;
  /** Among them `identical` to the last name, and `byChance`: the oracle itself gives several answers, one of them ours. */
  readonly agree: number;
  readonly identical: number;
  readonly byChance: number;
  readonly different: number;
  /** Scenarios with something that our scheduler says it does not evaluate. */
  readonly notEvaluated: number;
  readonly pods: number;
  readonly versions: Versions;
}

type Outcome = Comparison['verdict'] | 'byChance' | 'notEvaluated';

/** Generates scenarios, has both schedulers solve them, and compares. Tells `print` of what differs. */
export async function compareSchedules(options: ScheduleOptions, print: (line: string) => void): Promise<ScheduleSummary> {
  const { seed, count, from = 0, keep, runs = 10 } = options;
  const oracle = await Oracle.start();
  for (const [module, version] of Object.entries(oracle.versions)) print(`${module} ${version}`);
  const counts: Record<Outcome, number> = { identical: 0, equivalent: 0, byChance: 0, different: 0, notEvaluated: 0 };
  let pods = 0;
  for (let number = from; number < from + count; number += 1) {
    const scenario = generate(seed, number);
    const mine = ours(scenario);
    const tell = (difference: string, answers: readonly Answer[]) => {
      print(`${scenario.name} (${scenario.features.join(', ')}): ${difference}`);
      if (keep !== undefined) keepScenario(keep, scenario, mine, answers);
    };
    const outcome = mine.notEvaluated.length > 0 ? 'notEvaluated' : await judge(scenario, mine, oracle, runs, tell);
    counts[outcome] += 1;
    if (outcome !== 'notEvaluated') pods += mine.workloadOf.size;
  }
  oracle.stop();
  const { identical, byChance, different, notEvaluated } = counts;
  const agree = identical + counts.equivalent + byChance;
  return { scenarios: count, agree, identical, byChance, different, notEvaluated, pods, versions: oracle.versions };
}

async function judge(
  scenario: Scenario, mine: OurAnswer, oracle: Oracle, runs: number, tell: (difference: string, answers: readonly Answer[]) => void,
): Promise<Outcome> {
  const zones = freeZones(scenario);
  const against = (answer: Answer) => compare(answer, mine, mine.workloadOf, zones);
  const [first] = await oracle.solve(scenario, 1);
  const comparison = against(first);
  if (comparison.verdict !== 'different') return comparison.verdict;
  const answers = [first];
  for (let run = 1; run < runs; run += 1) {
    const [answer] = await oracle.solve(scenario, 1);
    if (against(answer).verdict !== 'different') return 'byChance';
    if (!answers.some((known) => JSON.stringify(known) === JSON.stringify(answer))) answers.push(answer);
  }
  const chance = answers.length > 1 ? ` (the oracle gave ${answers.length} answers in ${runs} runs, none of them ours)` : '';
  tell(`${comparison.difference}${chance}`, answers);
  return 'different';
}

/** Zones that no manifest names: nothing tells one from the other. */
function freeZones({ manifests, settings }: Scenario): string[] {
  return settings.zones.filter((zone) => !manifests.includes(`"${zone}"`));
}

function keepScenario(folder: string, scenario: Scenario, mine: OurAnswer, oracle: readonly Answer[]): void {
  mkdirSync(folder, { recursive: true });
  const { nodeClaims, unschedulable } = mine;
  writeFileSync(join(folder, `${scenario.name}.yaml`), `${scenario.manifests}\n`);
  const report = { features: scenario.features, settings: scenario.settings, ours: { nodeClaims, unschedulable }, oracle };
  writeFileSync(join(folder, `${scenario.name}.json`), `${JSON.stringify(report, null, 1)}\n`);
}
