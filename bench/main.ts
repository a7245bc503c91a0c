/**
 * `npm run bench`: how long the solver and the command line take, and Karpenter's own scheduler on the same pods, in the same run.
 * Prints each figure when it is there, then tables, then one JSON object with all of them. Milliseconds are of this machine; ratios and exponents travel.
 * Scenarios are played on a fleet of 500 nodes; consolidation races Karpenter's own on clusters of up to 200 nodes.
 * `--without-karpenter` measures ours alone, `--quick` leaves out what takes minutes, and `--scenarios` all but the scenarios.
 * `--simulations` measures nothing but how long one simulation of Karpenter's disruption takes, by which scenarios take their time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const REQUIRED = ['src/kernel/packer.generated.ts', 'lib/cli/bundle.js'];

async function main(options: readonly string[]): Promise<void> {
  const missing = REQUIRED.find((file) => !existsSync(join(__dirname, '..', file)));
  if (missing !== undefined) {
    console.error(`bench: ${missing} is missing, and what is shipped is measured; run npm run kernel && npm run compile first`);
    process.exitCode = 1;
    return;
  }
  const { printScenarios, scenarioSet } = await import('./scenario-set.js');
  if (options.includes('--scenarios')) {
    printScenarios(scenarioSet(console.log));
    return;
  }
  if (options.includes('--simulations')) {
    await (await import('./simulation-times.js')).simulationTimes(console.log);
    return;
  }
  // Only now: they import the kernel.
  const { checks, firstCall, print, solves } = await import('./measurements.js');
  const { printRaces, races } = await import('./races.js');
  const measurements = [firstCall(), ...solves(), ...checks()];
  print(measurements);
  const { ran, versions } = await races({ isAlone: options.includes('--without-karpenter'), isQuick: options.includes('--quick') }, console.log);
  const { consolidationRaces, printConsolidation } = await import('./consolidation.js');
  const consolidation = options.includes('--quick') ? [] : await consolidationRaces(options.includes('--without-karpenter'), console.log);
  const scenarios = options.includes('--quick') ? [] : scenarioSet(console.log);
  if (scenarios.length > 0) printScenarios(scenarios);
  if (consolidation.length > 0) printConsolidation(consolidation);
  printRaces(ran, versions, measurements, { scenarios, consolidation });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
