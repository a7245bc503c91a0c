import Table from 'cli-table3';
import { fleet } from './fleet-manifests';
import { playScenario, PlayedScenario } from '../src/validation';

/** Replicas of each Deployment: 10,000 pods. */
const REPLICAS = 50;
const SCENARIOS: readonly PlayedScenario[] = ['peak', 'zone-outage', 'spot-interruption', 'expiration', 'consolidation', 'drift'];

/** One scenario of the fleet in a process that has loaded all code: the first from its manifests to its reports, which are read and placed once. */
export interface PlayedFleet {
  readonly scenario: PlayedScenario;
  readonly milliseconds: number;
  readonly reports: number;
  readonly nodes: number;
  /** Between first and last moment, all reports together. */
  readonly seconds: number;
}

/** Each once: they take long enough for one round to tell. */
export function scenarioSet(log: (line: string) => void): PlayedFleet[] {
  playScenario(fleet(1), 'peak');
  const sources = fleet(REPLICAS);
  return SCENARIOS.map((scenario) => {
    const start = performance.now();
    const { reports } = playScenario(sources, scenario);
    const milliseconds = Math.round(performance.now() - start);
    log(`scenario ${scenario}, ${reports[0].before.nodes} nodes: ${milliseconds} ms`);
    const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
    return { scenario, milliseconds, reports: reports.length, nodes: reports[0].before.nodes, seconds };
  });
}

export function printScenarios(played: readonly PlayedFleet[]): void {
  const table = new Table({ head: ['scenario', 'nodes', 'reports', 'seconds played', 'ms'], style: { head: [], border: [] } });
  for (const { scenario, nodes, reports, seconds, milliseconds } of played) table.push([scenario, nodes, reports, seconds, milliseconds]);
  console.log(table.toString());
}
