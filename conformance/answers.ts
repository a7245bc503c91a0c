/**
 * Prints this checkout's own answers to generated scenarios, one JSON object a line. It asks no oracle.
 *
 *     npx tsx conformance/answers.ts --kind schedule --seed 1 --count 200
 */
import { Command } from 'commander';
import { disruptionComparison } from './disruption/comparison';
import { drainComparison } from './drain/comparison';
import { wholeNumber } from './options';
import { scheduleComparison } from './schedule/comparison';
import { simulationComparison } from './simulation/comparison';

const COMPARISONS = {
  schedule: scheduleComparison,
  disruption: disruptionComparison,
  drain: drainComparison,
  simulation: simulationComparison,
} as const;

const { kind, seed, count } = new Command('answers')
  .requiredOption('--kind <name>', Object.keys(COMPARISONS).join(', '))
  .option('--seed <n>', 'seed of the generator', wholeNumber, 1)
  .option('--count <n>', 'how many scenarios', wholeNumber, 200)
  .parse()
  .opts<{ kind: keyof typeof COMPARISONS; seed: number; count: number }>();

for (let number = 0; number < count; number++) {
  const {
    scenario: { name, manifests, cluster },
    ourAnswer: mine,
    notEvaluated,
  } = COMPARISONS[kind](seed, number);
  console.log(JSON.stringify({ name, manifests, cluster, mine, notEvaluated }));
}
