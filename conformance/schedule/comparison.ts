import { Answer } from './answer';
import { drawScenario, DrawTally, DrawSummary } from './draws';
import { compare } from './equivalence';
import { ScheduleOracle } from './oracle';
import { ourAnswer } from './our-answer';
import { brief, scenarioHash } from './recording';
import { freeZones, generate } from '../../test/support/schedule-scenario/generate';
import { ComparisonSummary, ComparisonOptions, featureOf, compareAll } from '../comparison-run';
import { RecordableComparison } from '../recorder';

const MAX_RECORDED_PODS = 150;

export interface RecordableScheduleComparison extends RecordableComparison<ScheduleOracle, Answer> {
  readonly pods: number;
}

/** The comparison of one generated scenario. */
export function scheduleComparison(seed: number, number: number, feature?: string): RecordableScheduleComparison {
  const scenario = generate(seed, number, feature);
  const { workloadOf, notEvaluated, ...mine } = ourAnswer(scenario);
  return {
    scenario,
    ourAnswer: mine,
    notEvaluated,
    pods: workloadOf.size,
    askOracle: async (oracle) => (await oracle.solve(scenario, 1))[0],
    compare: (expected, given) => compare(expected, given, workloadOf, freeZones(scenario)),
    details: () => ({ settings: scenario.settings, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: workloadOf.size > MAX_RECORDED_PODS,
    brief,
  };
}

export interface ScheduleSummary extends ComparisonSummary {
  /** Number of pods in the compared scenarios. */
  readonly pods: number;
  /** Where our fleets lie among those with random names and UIDs. @default - none is drawn */
  readonly draws?: DrawSummary;
}

/** Generates scenarios, and compares the results of both schedulers. */
export async function compareSchedules(
  options: ComparisonOptions & { readonly draws: number },
  print: (line: string) => void,
): Promise<ScheduleSummary> {
  let pods = 0;
  const comparison = (seed: number, number: number) => {
    const scenarioComparison = scheduleComparison(seed, number, featureOf(options, number));
    if (scenarioComparison.notEvaluated.length === 0) pods += scenarioComparison.pods;
    return scenarioComparison;
  };
  const { versions, ...summary } = await compareAll({ builds: ScheduleOracle, comparison }, options, print);
  const draws = options.draws > 0 ? { draws: await compareDraws(options, print) } : {};
  return { ...summary, pods, ...draws, versions };
}

/** Draws each scenario with random names and UIDs, and prints those in which our plan lies outside of all draws. */
async function compareDraws(
  { seed, from, count, draws, ...options }: ComparisonOptions & { readonly draws: number },
  print: (line: string) => void,
): Promise<DrawSummary> {
  const oracle = await ScheduleOracle.start();
  const tally = new DrawTally(print);
  try {
    for (let number = from; number < from + count; number++) {
      const scenario = generate(seed, number, featureOf(options, number));
      if (ourAnswer(scenario).notEvaluated.length > 0) continue;
      tally.add(scenario.name, await drawScenario(scenario, oracle, draws));
    }
  } finally {
    oracle.stop();
  }
  return tally.summary;
}
