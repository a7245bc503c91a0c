/**
 * `npm run bench` measures the solver, the command line and Karpenter's own scheduler on the same pods, in one run.
 * It prints each figure as soon as it is measured, then tables, then one JSON object. Milliseconds depend on the
 * machine; ratios and exponents can be compared between machines. Scenarios run on a fleet of 500 nodes, consolidation
 * on clusters of up to 200 nodes.
 *
 * - `--without-karpenter` measures only our side.
 * - `--quick` skips the parts that take minutes.
 * - `--scenarios` measures only the scenarios.
 * - `--cost` compares prices of 20 generated fleets: as planned, recommended, the best found, and the lower bound. With
 *   `--quick`, without the recommendations.
 * - `--simulations` measures only one simulation of Karpenter's disruption, from which scenarios derive their
 *   durations.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const REQUIRED = ['src/kernel/packer.generated.ts', 'lib/bundle.js'];

async function main(options: readonly string[]): Promise<void> {
  const missing = REQUIRED.find((file) => !existsSync(join(__dirname, '..', file)));
  if (missing !== undefined) {
    console.error(`bench: ${missing} is missing; run npm run compile first`);
    process.exitCode = 1;
    return;
  }
  const { printScenarios, scenarioSet } = await import('./scenario-set.js');
  if (options.includes('--scenarios')) {
    printScenarios(scenarioSet(console.log));
    return;
  }
  if (options.includes('--cost')) {
    (await import('./cost.js')).costRows(console.log, options.includes('--quick'));
    return;
  }
  if (options.includes('--simulations')) {
    await (await import('./simulation-times.js')).simulationTimes(console.log);
    return;
  }
  // Imported late, because these modules load the kernel.
  const { checks, firstCall, print, solves } = await import('./measurements.js');
  const { loading, printLoading } = await import('./loading.js');
  const loaded = loading();
  printLoading(loaded);
  const { printRaces, races } = await import('./races.js');
  const measurements = [firstCall(), ...solves(), ...checks()];
  print(measurements);
  const { ran, versions } = await races(
    { isAlone: options.includes('--without-karpenter'), isQuick: options.includes('--quick') },
    console.log,
  );
  const { consolidationRaces, printConsolidation } = await import('./consolidation.js');
  const consolidation = options.includes('--quick')
    ? []
    : await consolidationRaces(options.includes('--without-karpenter'), console.log);
  const scenarios = options.includes('--quick') ? [] : scenarioSet(console.log);
  if (scenarios.length > 0) printScenarios(scenarios);
  if (consolidation.length > 0) printConsolidation(consolidation);
  printRaces(ran, versions, measurements, { loading: loaded, scenarios, consolidation });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
