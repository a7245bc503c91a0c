import { NEWEST_KARPENTER_VERSION, parseKarpenterVersion } from '../../contract';
import {
  isScarcity,
  runScenario,
  ScarcityName,
  ScenarioName,
  ScenarioOptions,
  ScenarioReport,
  ScenarioTimes,
  SCENARIOS,
  simulationOf,
  timesOf,
} from '../../disruption';
import { countText, durationText, listText } from '../../model';
import { CheckOptions } from '../check-options';
import { CheckSession, readSession } from '../context/check-session';
import { stockNodeClassAssumptions } from '../context/stock-node-class';
import { systemDaemonSetAssumptions } from '../context/system-daemon-sets';
import { driftedNodes, NodeDrift } from '../drift';
import { SourceFile } from '../manifest';
import { peakReport } from './peak';
import { rolloutsOf } from './policies/rollouts-of-day';
import { prepareCluster, PreparedCluster } from './prepared-cluster';
import { ReadyWorkload } from './workload-replicas';

/** All scenarios: the scenarios of nodes, and `peak`, in which every autoscaler is at its maximum. */
export const SCENARIO_NAMES = [...SCENARIOS, 'peak'] as const;

/** The name of a scenario that can be simulated. */
export type SimulatedScenario = ScenarioName | 'peak';

/** What the simulation of one scenario, or of several, returns. It is printed as JSON under `scenarios`. */
export interface ScenarioResult {
  /** When the simulation starts, in ISO 8601. */
  readonly start: string;
  /** Absent for `peak`, in which no time passes. Without a horizon if the simulation runs to its end. */
  readonly times?: Partial<ScenarioTimes>;
  readonly reports: readonly ScenarioReport[];
  readonly assumptions: readonly string[];
  /**
   * For `drift`: the nodes that drift because of the manifests. @default - none is known to drift, so every node is
   * taken to drift
   */
  readonly drifts?: readonly NodeDrift[];
  /** NodePools and nodes that are missing from the simulation. With them, the result may differ. */
  readonly notEvaluated: readonly string[];
  /** All workloads, before the scenario starts. */
  readonly workloads: readonly ReadyWorkload[];
  /**
   * The currency of all prices; null if none are known, and prices give only the order of instance types.
   * @default 'USD'
   */
  readonly currency?: string | null;
  /**
   * Of several scenarios, those without a report because they cannot happen here. @default - a single scenario was
   * requested
   */
  readonly notSimulated?: readonly SkippedScenario[];
}

export interface SkippedScenario {
  readonly scenario: SimulatedScenario;
  readonly why: string;
}

/**
 * Simulates scenarios of the same manifests. Scenarios that start at the same time share one prepared cluster.
 */
export class ScenarioSession {
  private readonly prepared = new Map<number | undefined, PreparedCluster>();

  public constructor(private readonly session: CheckSession) {}

  /**
   * Simulates what happens to the nodes of all scheduled pods in the scenario.
   *
   * @throws UnknownTargetError if the object to delete does not exist
   */
  public simulate(name: SimulatedScenario, scenarioOptions: ScenarioOptions = {}): ScenarioResult {
    return simulatePrepared(name, this.prepare(scenarioOptions.start), scenarioOptions);
  }

  private prepare(start: number | undefined): PreparedCluster {
    const prepared = this.prepared.get(start) ?? prepareCluster(this.session, start);
    this.prepared.set(start, prepared);
    return prepared;
  }
}

/**
 * Simulates one scenario. For several scenarios of the same manifests, use a `ScenarioSession`.
 *
 * @throws Error if an option has an invalid value
 * @throws UnknownTargetError if the object to delete does not exist
 */
export function simulateScenario(
  sources: readonly SourceFile[],
  name: SimulatedScenario,
  options?: CheckOptions,
  scenarioOptions?: ScenarioOptions,
): ScenarioResult {
  return new ScenarioSession(readSession(sources, options)).simulate(name, scenarioOptions);
}

/** Simulates one scenario of a prepared cluster. */
export function simulatePrepared(
  name: SimulatedScenario,
  prepared: PreparedCluster,
  options: ScenarioOptions,
): ScenarioResult {
  const { context, plan, cluster, baseline, notes, workloads, start } = prepared;
  const {
    model,
    input,
    catalog,
    options: { karpenterVersion },
  } = context;
  const currency = catalog.unknownPrices === undefined ? catalog.currency : null;
  const common = {
    start: new Date(start).toISOString(),
    notEvaluated: notes,
    workloads,
    ...(currency === 'USD' ? {} : { currency }),
  };
  const capacity = 'EC2 has capacity for every instance type, and launches the cheapest';
  const assumed = [...stockNodeClassAssumptions(model), ...systemDaemonSetAssumptions(model, context.options)];
  if (name === 'peak')
    return {
      ...common,
      reports: [peakReport({ model, input, catalog, plan, cluster, workloads })],
      assumptions: [...assumed, capacity],
    };
  const times = timesOf(name, options);
  const drifts = name === 'drift' ? driftedNodes(model) : [];
  const reports = runScenario(name, baseline, {
    ...options,
    times,
    start,
    explainsStays: true,
    ...(name === 'rollout' ? { rollouts: rolloutsOf(prepared) } : {}),
    ...(drifts.length > 0 ? { drifted: drifts } : {}),
  });
  return {
    ...common,
    notEvaluated: [...notes, ...reports.flatMap(stoppedNote)],
    ...(drifts.length > 0 ? { drifts } : {}),
    times: withoutInfiniteHorizon(times),
    reports,
    assumptions: [
      ...assumed,
      `the simulation starts at ${common.start}, with all scheduled pods ready`,
      ...timeAssumptions(name, times, cluster.nodes.length),
      isScarcity(name) ? `${capacity}, except for what the scenario takes away` : capacity,
      ...(reports.some(mayBindElsewhere) ? [BINDING_ASSUMPTION] : []),
      ...versionAssumptions(karpenterVersion),
      ...(name === 'drift' ? driftAssumptions(drifts) : []),
    ],
  };
}

/** Which node gets an evicted pod, if several have room. */
export const BINDING_ASSUMPTION =
  'an evicted pod goes to the first node with room that Karpenter would choose; kube-scheduler prefers emptier nodes, whose consolidateAfter then starts again, so that later commands may come later or differ';

function mayBindElsewhere({ workloads, after }: ScenarioReport): boolean {
  return after.nodes > 1 && workloads.some(({ evictions }) => evictions > 0);
}

/** How far a simulation came that was too much work. */
function stoppedNote({ scenario, subject, stopped, seconds, before }: ScenarioReport): string[] {
  if (stopped === undefined) return [];
  const what = `${scenario}${subject === undefined ? '' : ` of ${subject}`}`;
  return [
    `${what} after the first ${durationText(seconds)}: with ${countText(before.nodes, 'node')} the simulation is too much work, and stopped there; ` +
      'simulate fewer nodes or pods at a time',
  ];
}

/** Disruption follows the newest release, whichever version is given. */
function versionAssumptions(version = NEWEST_KARPENTER_VERSION): string[] {
  const [, minor] = parseKarpenterVersion(version)!;
  const [major, newest] = parseKarpenterVersion(NEWEST_KARPENTER_VERSION)!;
  return minor === newest ? [] : [`nodes are disrupted as in Karpenter ${major}.${newest}; ${version} may differ`];
}

function driftAssumptions(drifts: readonly NodeDrift[]): string[] {
  if (drifts.length === 0) return ['every node has drifted, as after a new AMI'];
  const uncertain = drifts.filter(({ certain }) => !certain);
  const fields = listText([...new Set(uncertain.flatMap((drift) => drift.fields))]);
  return uncertain.length === 0
    ? []
    : [
        `${fields} now matches other AWS resources than before; otherwise these nodes do not drift: ${listText(uncertain.map(({ node }) => node))}`,
      ];
}

function withoutInfiniteHorizon({ horizon, ...times }: ScenarioTimes): Partial<ScenarioTimes> {
  return horizon === Infinity ? times : { ...times, horizon };
}

/** Scenarios in which Karpenter chooses the nodes to disrupt, by simulating each choice. */
const WITH_SCHEDULING_SIMULATIONS: readonly SimulatedScenario[] = ['consolidation', 'drift', 'node-repair', 'job-end'];
/** Shorter simulations, in seconds, are not worth an assumption. */
const SHORTEST_REPORTED_SIMULATION = 0.05;

/**
 * The API server removes the pods of an unreachable node only with the node. While no node answers at all, it removes
 * no pods.
 */
const NODES_DELETED =
  'somebody deletes the nodes of the failed zone once Kubernetes marks their pods as lost; otherwise no StatefulSet pod is ' +
  'recreated, and no pod at all if no node outside the zone responds';

function timeAssumptions(
  name: ScenarioName,
  { nodeStart, podStart, podStop, simulation, horizon }: ScenarioTimes,
  nodes: number,
): string[] {
  return [
    `a node is ready ${nodeStart} seconds after its launch; a pod is ready ${podStart} seconds after it is bound, and stops within ${podStop} seconds`,
    ...(WITH_SCHEDULING_SIMULATIONS.includes(name) ? simulationAssumptions(simulation, nodes) : []),
    ...(name === 'zone-outage' ? [NODES_DELETED] : []),
    ...(name === 'rollout'
      ? ['the cluster is consolidated before the rollout; pods of a rollout are as large as before']
      : []),
    ...(isScarcity(name) ? [scarcityAssumption(name)] : []),
    ...(horizon === Infinity ? [] : [`the simulation ends after ${durationText(horizon)}`]),
  ];
}

function scarcityAssumption(name: ScarcityName): string {
  const [kind] = name.split(' ');
  const lost =
    kind === 'no-spot'
      ? 'EC2 takes the nodes that it concerns after two minutes'
      : kind === 'quota'
        ? 'the last nodes go, as far as the quota is exceeded'
        : 'the nodes that it concerns are all drained at once';
  return `in ${kind}, ${lost}; the scarcity lasts to the end, and Karpenter's first request that EC2 refuses takes no time`;
}

function simulationAssumptions(given: number | undefined, nodes: number): string[] {
  const seconds = given ?? simulationOf(nodes, 0);
  if (seconds < SHORTEST_REPORTED_SIMULATION) return [];
  const inMilliseconds = (time: number) => Math.round(time * 1_000);
  const morePods = inMilliseconds(simulationOf(nodes, 100) - seconds);
  return [
    `Karpenter needs ${inMilliseconds(seconds)} ms to simulate the removal of a node${given === undefined ? `, and ${morePods} ms more for each 100 pending pods` : ''}`,
  ];
}
