import { SimulationAnswer } from './answer';
import { firstDifference } from './equivalence';
import { SimulationOracle } from './oracle';
import { ourAnswer } from './our-answer';
import { RecordableComparison } from '../recorder';
import { generate, scenarioHash } from './scenario';
import { ComparisonOptions, ComparisonSummary, featureOf, compareAll } from '../comparison-run';

/** The comparison of one generated cluster. */
export function simulationComparison(
  seed: number,
  number: number,
  feature?: string,
): RecordableComparison<SimulationOracle, SimulationAnswer> {
  const scenario = generate(seed, number, feature);
  const { settings, now, choice, times } = scenario;
  const mine = ourAnswer(scenario);
  return {
    scenario,
    ourAnswer: mine,
    notEvaluated: mine.notEvaluated,
    askOracle: (oracle) => oracle.simulate(scenario),
    compare: (expected, given) => {
      const what = firstDifference(expected, given);
      return what === undefined ? { verdict: 'identical' } : { verdict: 'different', difference: what };
    },
    details: () => ({ settings, now, choice, times, ours: mine }),
    hash: scenarioHash(scenario),
    isLong: false,
    brief: (answer) => answer,
  };
}

/** Generates clusters, and compares the simulations of both sides. */
export function compareSimulations(
  options: ComparisonOptions,
  print: (line: string) => void,
): Promise<ComparisonSummary> {
  const comparison = (seed: number, number: number) => simulationComparison(seed, number, featureOf(options, number));
  return compareAll({ builds: SimulationOracle, comparison }, options, print);
}
