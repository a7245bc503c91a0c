import { SimulationAnswer } from './answer';
import { SimulationScenario } from './scenario';
import { runScenario, ScenarioReport, workloadKey } from '../../src/disruption';
import { clusterOf } from '../../test/support/disruption-scenario/cluster';

export interface OurAnswer extends SimulationAnswer {
  /** Why the answers cannot be compared. */
  readonly notEvaluated: readonly string[];
}

/** Our answer for the same cluster. Scheduling simulations take no time here. */
export function ourAnswer(scenario: SimulationScenario): OurAnswer {
  const {
    choice: { scenario: chosen, subject, of, ended },
    now,
    times,
  } = scenario;
  const cluster = clusterOf(scenario);
  const jobs = ended && [workloadKey(ended.namespace, ended)];
  const reports = runScenario(chosen, cluster, { start: now, times: { ...times, simulation: 0 }, of, jobs });
  const report = subject === undefined ? reports[0] : reports.find((candidate) => candidate.subject === subject);
  if (!report)
    return {
      events: [],
      workloads: {},
      pending: 0,
      nodes: cluster.nodes.map(({ name }) => name).sort(),
      notEvaluated: [],
    };
  const { timeline, workloads, pending } = report;
  const events = timeline
    .filter(({ what }) => COMPARED_EVENTS.test(what) && !what.endsWith(GIVEN_UP))
    .map(({ second, what }) => ({ second, what: what.replace(TERMINATED_FIRST, '') }));
  return {
    events,
    workloads: Object.fromEntries(
      workloads.map(({ workload, lowestReady, evictions }) => [workload, { lowestReady, evictions }]),
    ),
    pending: pending.length,
    notEvaluated:
      report.unfinished && report.seconds < times.horizon
        ? ['nodes are launched again and again, and the simulation stops early']
        : [],
    nodes: nodesOf(
      cluster.nodes.map(({ name }) => name),
      report,
    ),
  };
}

const COMPARED_EVENTS = /decides to|is launched|is terminated$|is taken away$|is lost$/;
/** The command has no replacement node; Karpenter gives it up and tries it again. */
const GIVEN_UP = 'can be launched in its place';
/** Why a node is terminated before its replacement is ready. */
const TERMINATED_FIRST = / \([a-z-]+\)$/;

function nodesOf(first: readonly string[], { timeline }: ScenarioReport): string[] {
  const nodes = new Set(first);
  for (const { what } of timeline) {
    const [name] = what.split(' ');
    if (/ is (terminated|taken away|lost)$/.test(what)) nodes.delete(name);
    else if (what.endsWith(' is up')) nodes.add(name);
  }
  return [...nodes].sort();
}
