import { PlayAnswer } from './answer';
import { PlayScenario } from './scenario';
import { runScenario, ScenarioReport } from '../../src/disruption';
import { clusterOf } from '../disruption/ours';

/** What a scenario tells of the same cluster, where simulations take no time. */
export function ours(scenario: PlayScenario): PlayAnswer {
  const { play, now, times } = scenario;
  const cluster = clusterOf(scenario);
  const [report] = runScenario(play, cluster, { start: now, times: { ...times, simulation: 0 } });
  if (!report) return { events: [], workloads: {}, pending: 0, nodes: cluster.nodes.map(({ name }) => name).sort() };
  const { timeline, workloads, pending } = report;
  const events = timeline.filter(({ what }) => TOLD.test(what));
  return {
    events,
    workloads: Object.fromEntries(workloads.map(({ workload, lowestReady, evictions }) => [workload, { lowestReady, evictions }])),
    pending: pending.length,
    nodes: nodesOf(cluster.nodes.map(({ name }) => name), report),
  };
}

const TOLD = /decides to|is launched|is gone$/;
function nodesOf(first: readonly string[], { timeline }: ScenarioReport): string[] {
  const nodes = new Set(first);
  for (const { what } of timeline) {
    const [name] = what.split(' ');
    if (what.endsWith(' is gone')) nodes.delete(name);
    else if (what.endsWith(' is up')) nodes.add(name);
  }
  return [...nodes].sort();
}
