import { ScenarioResult, ScenarioSession, SimulatedScenario, SkippedScenario } from './simulate-scenario';
import { isScarcity, ScarcityName, ScenarioOptions } from '../../disruption';
import { listText, roundedDurationText } from '../../model';
import { CheckSession } from '../context/check-session';

interface Simulation {
  readonly scenario: SimulatedScenario;
  readonly result: ScenarioResult;
}

/** Why a scenario has no report. */
const SKIP_REASONS: Readonly<Record<Exclude<SimulatedScenario, ScarcityName>, string>> = {
  consolidation: 'there is no node',
  'spot-interruption': 'there is no spot node',
  'zone-outage': 'no node has a known zone',
  drift: 'there is no node',
  expiration: 'no node expires',
  'capacity-block': 'no node is in a capacity block',
  'node-repair': 'Karpenter manages no node that stays',
  deletion: 'no NodePool has a node',
  'scale-down': 'no static NodePool has more nodes than its replicas',
  rollout: 'no Deployment has a pod on a node',
  'job-end': 'no Job has a pod on a node',
  peak: 'no autoscaler allows more pods than a workload has',
};

function skipReason(scenario: SimulatedScenario): string {
  if (!isScarcity(scenario)) return SKIP_REASONS[scenario];
  const [kind, argument] = scenario.split(' ');
  switch (kind) {
    case 'no-spot':
      return 'there is no spot node';
    case 'no-type':
      return argument === undefined ? 'Karpenter manages no node' : `no node is of the family ${argument}`;
    case 'quota':
      return `the nodes have no more than ${argument} on-demand vCPUs`;
    case 'subnet-full':
      return 'no node has a known zone';
    default:
      return 'no node is in a capacity reservation';
  }
}

/**
 * Simulates each scenario from the same prepared cluster, and joins the results. A single scenario returns the same as
 * `simulateScenario`.
 *
 * @param names without duplicates, in the order in which they are reported
 * @param onScenario called after each scenario but the last, with a function that joins the results of those until then
 * @throws UnknownTargetError if the object to delete does not exist
 */
export function simulateScenarios(
  session: CheckSession,
  names: readonly SimulatedScenario[],
  scenarioOptions: ScenarioOptions = {},
  onScenario?: (resultUntilNow: () => ScenarioResult) => void,
): ScenarioResult {
  const scenarioSession = new ScenarioSession(session);
  const { onProgress } = session.options;
  const simulations: Simulation[] = [];
  for (const [done, scenario] of names.entries()) {
    const task = names.length === 1 ? `scenario ${scenario}` : `scenario ${scenario} (${done + 1} of ${names.length})`;
    onProgress?.({ task });
    const onTick =
      onProgress && ((seconds: number) => onProgress({ task: `${task}, ${roundedDurationText(seconds)} simulated` }));
    simulations.push({ scenario, result: scenarioSession.simulate(scenario, { ...scenarioOptions, onTick }) });
    const rest = names.slice(done + 1);
    if (rest.length > 0) onScenario?.(() => unfinished(joined(simulations), rest));
  }
  return simulations.length === 1 ? simulations[0].result : joined(simulations);
}

function unfinished(result: ScenarioResult, rest: readonly SimulatedScenario[]): ScenarioResult {
  const skipped = rest.map((scenario): SkippedScenario => ({ scenario, why: 'the command was interrupted' }));
  return { ...result, notSimulated: [...(result.notSimulated ?? []), ...skipped] };
}

function joined(simulations: readonly Simulation[]): ScenarioResult {
  const reported = simulations.filter(hasReport);
  const { drifts } = simulations.find(({ result }) => result.drifts)?.result ?? {};
  const times = simulations.flatMap(({ result }) => result.times ?? []);
  const [
    {
      result: { start, notEvaluated, workloads, currency },
    },
  ] = simulations;
  return {
    start,
    notEvaluated,
    workloads,
    ...(currency === undefined ? {} : { currency }),
    ...(drifts === undefined ? {} : { drifts }),
    // A scenario that runs to its end has no horizon.
    ...(times.length === 0 ? {} : { times: times.find(({ horizon }) => horizon !== undefined) ?? times[0] }),
    reports: reported.flatMap(({ result }) => result.reports),
    assumptions: joinedAssumptions(reported),
    notSimulated: simulations
      .filter((simulation) => !hasReport(simulation))
      .map(({ scenario }): SkippedScenario => ({ scenario, why: skipReason(scenario) })),
  };
}

/** `peak` and the scenarios of the whole cluster return a report even if nothing happens. */
function hasReport({ scenario, result: { reports } }: Simulation): boolean {
  return reports.some(({ workloads, before }) => (scenario === 'peak' ? workloads.length > 0 : before.nodes > 0));
}

/** Each sentence once. It names its scenarios unless it holds for all scenarios in which time passes. */
function joinedAssumptions(simulations: readonly Simulation[]): string[] {
  const scenariosOf = new Map<string, SimulatedScenario[]>();
  for (const { scenario, result } of simulations) {
    for (const sentence of result.assumptions)
      scenariosOf.set(sentence, [...(scenariosOf.get(sentence) ?? []), scenario]);
  }
  const timed = simulations.filter(({ result }) => result.times !== undefined).map(({ scenario }) => scenario);
  return [...scenariosOf].map(([sentence, scenarios]) => {
    const exceptions = timed.filter((scenario) => !scenarios.includes(scenario));
    if (exceptions.length === 0) return sentence;
    return exceptions.length < scenarios.length
      ? `${sentence}, except in ${listed(exceptions)}`
      : `in ${listed(scenarios)}: ${sentence}`;
  });
}

function listed(names: readonly string[]): string {
  return listText(names);
}
