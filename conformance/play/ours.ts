import { PlayAnswer } from './answer';
import { PlayScenario } from './scenario';
import { runScenario, ScenarioReport, workloadKey } from '../../src/disruption';
import { clusterOf } from '../disruption/ours';

export interface OurPlay extends PlayAnswer {
  /** Why the two cannot be compared to the end. */
  readonly notEvaluated: readonly string[];
}

/** What a scenario tells of the same cluster, where simulations take no time. */
export function ours(scenario: PlayScenario): OurPlay {
  const { played: { play, subject, of, ended }, now, times } = scenario;
  const cluster = clusterOf(scenario);
  const jobs = ended && [workloadKey(ended.namespace, ended)];
  const reports = runScenario(play, cluster, { start: now, times: { ...times, simulation: 0 }, of, jobs });
  const report = subject === undefined ? reports[0] : reports.find((each) => each.subject === subject);
  if (!report) return { events: [], workloads: {}, pending: 0, nodes: cluster.nodes.map(({ name }) => name).sort(), notEvaluated: [] };
  const { timeline, workloads, pending } = report;
  const events = timeline.filter(({ what }) => TOLD.test(what) && !what.endsWith(GIVEN_UP)).map(({ second, what }) => ({ second, what: what.replace(TERMINATED_FIRST, '') }));
  return {
    events,
    workloads: Object.fromEntries(workloads.map(({ workload, lowestReady, evictions }) => [workload, { lowestReady, evictions }])),
    pending: pending.length,
    notEvaluated: report.unfinished && report.seconds < times.horizon ? ['nodes are launched without end, which is not followed'] : [],
    nodes: nodesOf(cluster.nodes.map(({ name }) => name), report),
  };
}

const TOLD = /decides to|is launched|is gone$|is taken away$|is lost$/;
/** Karpenter's command lacks a node, is given up, and tried again. */
const GIVEN_UP = 'can be launched in its place';
/** Why a node goes before another is there. */
const TERMINATED_FIRST = / \([a-z-]+\)$/;

function nodesOf(first: readonly string[], { timeline }: ScenarioReport): string[] {
  const nodes = new Set(first);
  for (const { what } of timeline) {
    const [name] = what.split(' ');
    if (/ is (gone|taken away|lost)$/.test(what)) nodes.delete(name);
    else if (what.endsWith(' is up')) nodes.add(name);
  }
  return [...nodes].sort();
}
