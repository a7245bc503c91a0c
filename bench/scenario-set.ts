import { join } from 'node:path';
import Table from 'cli-table3';
import { fleet } from './fleet-manifests';
import type { PlayedScenario } from '../src/validation';

/** Replicas of each Deployment: 10,000 pods. */
const REPLICAS = 50;
const SCENARIOS: readonly PlayedScenario[] = ['peak', 'zone-outage', 'spot-interruption', 'expiration', 'consolidation', 'drift'];
/** The first is of a process in which nothing of it has been compiled yet. */
const ROUNDS = 4;

/** One scenario of the fleet: the first of a round from its manifests to its reports, which are read and placed once for all of these. */
export interface PlayedFleet {
  readonly scenario: PlayedScenario;
  /** Of the first round. */
  readonly first: number;
  /** The median of the others. */
  readonly median: number;
  readonly reports: number;
  readonly nodes: number;
  /** Between first and last moment, all reports together. */
  readonly seconds: number;
}

/** Each round with manifests of its own, of which nothing is known from the rounds before. What is shipped is played, not what it is made from. */
export function scenarioSet(log: (line: string) => void): PlayedFleet[] {
  const { playScenario } = shipped<typeof import('../src/validation')>('validation');
  // As the command line does.
  shipped<typeof import('../src/cli/optimising')>('cli/optimising').expectMuchWork();
  playScenario(fleet(1), 'peak');
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const sources = fleet(REPLICAS);
    const played = SCENARIOS.map((scenario) => {
      const start = performance.now();
      const { reports } = playScenario(sources, scenario);
      return { milliseconds: performance.now() - start, reports };
    });
    log(`all scenarios, round ${round + 1}: ${Math.round(sumOf(played.map(({ milliseconds }) => milliseconds)))} ms`);
    return played;
  });
  const [first, ...others] = rounds;
  return SCENARIOS.map((scenario, at) => ({
    scenario,
    first: Math.round(first[at].milliseconds),
    median: Math.round(medianOf(others.map((played) => played[at].milliseconds))),
    reports: first[at].reports.length,
    nodes: first[at].reports[0].before.nodes,
    seconds: sumOf(first[at].reports.map(({ seconds }) => seconds)),
  }));
}

function shipped<Module>(path: string): Module {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- there is none when this is compiled
  return require(join(__dirname, '..', 'lib', path)) as Module;
}

export function printScenarios(played: readonly PlayedFleet[]): void {
  const table = new Table({ head: ['scenario', 'nodes', 'reports', 'seconds played', 'first ms', 'ms'], style: { head: [], border: [] } });
  for (const { scenario, nodes, reports, seconds, first, median } of played) table.push([scenario, nodes, reports, seconds, first, median]);
  table.push(['all', '', '', '', sumOf(played.map(({ first }) => first)), sumOf(played.map(({ median }) => median))]);
  console.log(table.toString());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function medianOf(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];
}
