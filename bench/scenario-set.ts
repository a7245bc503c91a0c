import { join } from 'node:path';
import Table from 'cli-table3';
import { fleet } from './fleet-manifests';
import type { SimulatedScenario } from '../src/validation';

/** Replicas of each Deployment: 10,000 pods. */
const REPLICAS = 50;
const SCENARIOS: readonly SimulatedScenario[] = [
  'peak',
  'zone-outage',
  'spot-interruption',
  'expiration',
  'consolidation',
  'drift',
];
/** The first round runs code that V8 has not compiled yet. */
const ROUNDS = 4;

/**
 * One scenario of the fleet. The manifests are read and scheduled once a round, within the time of the first scenario.
 */
export interface SimulatedFleet {
  readonly scenario: SimulatedScenario;
  /** Milliseconds of the first round. */
  readonly first: number;
  /** Median milliseconds of the other rounds. */
  readonly median: number;
  readonly reports: number;
  readonly nodes: number;
  /** Simulated seconds of all reports together. */
  readonly seconds: number;
}

/**
 * Each round has new manifest objects, so no cache of an earlier round applies. Runs the compiled package in lib/, as
 * users do.
 */
export function scenarioSet(log: (line: string) => void): SimulatedFleet[] {
  const { readSession, ScenarioSession, simulateScenario } = shipped<{
    readonly validation: typeof import('../src/validation');
  }>('bundle').validation;
  // The command line does the same.
  shipped<typeof import('../src/cli/v8-tuning')>('cli/v8-tuning').expectMuchWork();
  simulateScenario(fleet(1), 'peak');
  const newSession = (sources: ReturnType<typeof fleet>) => new ScenarioSession(readSession(sources));
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const sources = fleet(REPLICAS);
    let session: ReturnType<typeof newSession> | undefined;
    const simulated = SCENARIOS.map((scenario) => {
      const start = performance.now();
      session ??= newSession(sources);
      const { reports } = session.simulate(scenario);
      return { milliseconds: performance.now() - start, reports };
    });
    log(
      `all scenarios, round ${round + 1}: ${Math.round(sumOf(simulated.map(({ milliseconds }) => milliseconds)))} ms`,
    );
    return simulated;
  });
  const [first, ...others] = rounds;
  return SCENARIOS.map((scenario, at) => ({
    scenario,
    first: Math.round(first[at].milliseconds),
    median: Math.round(medianOf(others.map((simulated) => simulated[at].milliseconds))),
    reports: first[at].reports.length,
    nodes: first[at].reports[0].before.nodes,
    seconds: sumOf(first[at].reports.map(({ seconds }) => seconds)),
  }));
}

function shipped<Module>(path: string): Module {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lib/ may not be compiled yet
  return require(join(__dirname, '..', 'lib', path)) as Module;
}

export function printScenarios(simulated: readonly SimulatedFleet[]): void {
  const table = new Table({
    head: ['scenario', 'nodes', 'reports', 'seconds simulated', 'first ms', 'ms'],
    style: { head: [], border: [] },
  });
  for (const { scenario, nodes, reports, seconds, first, median } of simulated)
    table.push([scenario, nodes, reports, seconds, first, median]);
  table.push([
    'all',
    '',
    '',
    '',
    sumOf(simulated.map(({ first }) => first)),
    sumOf(simulated.map(({ median }) => median)),
  ]);
  console.log(table.toString());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function medianOf(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];
}
