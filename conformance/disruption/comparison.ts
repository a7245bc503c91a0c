import { DisruptionAnswer } from './answer';
import { firstDifference } from './equivalence';
import { DisruptionOracle } from './oracle';
import { ourAnswer } from './our-answer';
import { brief, scenarioHash } from './recording';
import { generate } from '../../test/support/disruption-scenario/generate';
import { ComparisonSummary, ComparisonOptions, featureOf, compareAll } from '../comparison-run';
import { RecordableComparison } from '../recorder';

const MAX_RECORDED_NODES = 16;

/** The comparison of one generated cluster. */
export function disruptionComparison(
  seed: number,
  number: number,
  feature?: string,
): RecordableComparison<DisruptionOracle, DisruptionAnswer> {
  const scenario = generate(seed, number, feature);
  const { notEvaluated, ...mine } = ourAnswer(scenario);
  const { settings, now, nominated, later } = scenario;
  return {
    scenario,
    ourAnswer: mine,
    notEvaluated,
    askOracle: (oracle) => oracle.decide(scenario),
    compare: (expected, given) => {
      const what = firstDifference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    details: () => ({ settings, now, nominated, later, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: scenario.cluster.split('"kind":"NodeClaim"').length > MAX_RECORDED_NODES,
    brief,
  };
}

export interface DisruptionSummary extends ComparisonSummary {
  /** Number of compared scenarios with a command, by method. */
  readonly commands: Readonly<Record<string, number>>;
  /** Number of drifted NodeClaims in the compared scenarios. */
  readonly drifted: number;
}

/** Generates clusters, and compares the disruption decisions of both sides. */
export async function compareDisruption(
  options: ComparisonOptions,
  print: (line: string) => void,
): Promise<DisruptionSummary> {
  const commands: Record<string, number> = {};
  let drifted = 0;
  const comparison = (seed: number, number: number) => {
    const scenarioComparison = disruptionComparison(seed, number, featureOf(options, number));
    if (scenarioComparison.notEvaluated.length > 0) return scenarioComparison;
    const { methods, drifts = {} } = scenarioComparison.ourAnswer;
    for (const { method, commands: methodCommands } of methods)
      if (methodCommands.length > 0) commands[method] = (commands[method] ?? 0) + 1;
    drifted += Object.keys(drifts).length;
    return scenarioComparison;
  };
  const { versions, ...summary } = await compareAll({ builds: DisruptionOracle, comparison }, options, print);
  return { ...summary, commands, drifted, versions };
}
