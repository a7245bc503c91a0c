import { NEWEST_KARPENTER_VERSION, parseKarpenterVersion } from '../../contract';
import { runScenario, ScenarioName, ScenarioOptions, ScenarioReport, ScenarioTimes, SCENARIOS, simulationOf, timesOf } from '../../disruption';
import { formatGoDuration } from '../../model';
import { driftedNodes, NodeDrift } from '../drift';
import { SourceFile } from '../manifest';
import { CheckOptions } from '../options';
import { peakReport } from './peak';
import { ReadyWorkload } from './ready-workloads';
import { stagedOf } from './staged';

/** What can be played: what happens to nodes, and `peak`, what happens when every autoscaler is at its most. */
export const SCENARIO_NAMES = [...SCENARIOS, 'peak'] as const;
export type PlayedScenario = ScenarioName | 'peak';

export interface Played {
  /** When it begins, as in ISO 8601. */
  readonly start: string;
  /** Absent where nothing takes time, at the peak; without a horizon where it is followed to the end. */
  readonly times?: Partial<ScenarioTimes>;
  readonly reports: readonly ScenarioReport[];
  /** What is not in the manifests, and taken for granted. */
  readonly assumptions: readonly string[];
  /** Of the scenario `drift`: the nodes that the manifests drift. @default - none: then it is about every node */
  readonly drifts?: readonly NodeDrift[];
  /** What would be disrupted too, were it known: with it, all of this may be different. */
  readonly notEvaluated: readonly string[];
  /** All workloads, as they are before anything happens. */
  readonly workloads: readonly ReadyWorkload[];
  /** Of several scenarios those that have no report, as nothing of the kind can happen. @default - one scenario was to be played */
  readonly notPlayed?: readonly NotPlayed[];
}

export interface NotPlayed {
  readonly scenario: PlayedScenario;
  readonly why: string;
}

/**
 * Places all pods, and plays what may happen to their nodes then. For the same sources and options, as objects, they are placed once.
 *
 * @throws Error if an option has a value that it cannot have
 * @throws UnknownTargetError where there is nothing of the name that is to be deleted
 */
export function playScenario(
  sources: readonly SourceFile[], name: PlayedScenario, given: CheckOptions = NO_OPTIONS, options: ScenarioOptions = {},
): Played {
  const { scene, plan, cluster, notes, workloads, start } = stagedOf(sources, given, options.start);
  const { model, input, catalog, options: { karpenterVersion } } = scene;
  const common = { start: new Date(start).toISOString(), notEvaluated: notes, workloads };
  const capacity = 'EC2 has capacity of everything, and launches the cheapest';
  if (name === 'peak') return { ...common, reports: [peakReport({ model, input, catalog, plan, cluster, workloads })], assumptions: [capacity] };
  const times = timesOf(name, options);
  const drifts = name === 'drift' ? driftedNodes(model) : [];
  const changed = drifts.length > 0 ? { drifts } : {};
  return {
    ...common,
    ...changed,
    times: toTheEnd(times),
    reports: runScenario(name, cluster, { ...options, times, start, ...(drifts.length > 0 ? { drifted: drifts } : {}) }),
    assumptions: [
      `it begins at ${common.start}, with all pods that have a node ready`, ...inWords(name, times, cluster.nodes.length), capacity, ...ofVersion(karpenterVersion), ...name === 'drift' ? ofDrifts(drifts) : [],
    ],
  };
}

const NO_OPTIONS: CheckOptions = {};

/** Disruption is played as the newest release has it. */
function ofVersion(version = NEWEST_KARPENTER_VERSION): string[] {
  const [, minor] = parseKarpenterVersion(version)!;
  const [major, newest] = parseKarpenterVersion(NEWEST_KARPENTER_VERSION)!;
  return minor === newest ? [] : [`nodes are disrupted as Karpenter ${major}.${newest} does it: ${version} may do it otherwise`];
}

function ofDrifts(drifts: readonly NodeDrift[]): string[] {
  if (drifts.length === 0) return ['every node has drifted, as after a new AMI'];
  const unsure = drifts.filter(({ certain }) => !certain);
  const fields = [...new Set(unsure.flatMap((each) => each.fields))].join(' and ');
  return unsure.length === 0 ? [] : [`what ${fields} finds is not what it found: ${unsure.map(({ node }) => node).join(', ')} drifts only then`];
}

function toTheEnd({ horizon, ...times }: ScenarioTimes): Partial<ScenarioTimes> {
  return horizon === Infinity ? times : { ...times, horizon };
}

/** Those in which Karpenter decides which nodes go: where there are few nodes it takes no time to speak of. */
const DECIDING: readonly PlayedScenario[] = ['consolidation', 'drift', 'node-repair', 'job-end'];
/** Seconds. */
const WORTH_TELLING = 0.05;

/** Pods that nobody hears of end for the API server only with their node; and where no node answers at all, none are deleted. */
const NODES_DELETED = 'somebody deletes the nodes of the zone by the time that Kubernetes takes their pods for lost: without it no pod of a StatefulSet is made '
  + 'again, and none at all where no node outside the zone answers';

function inWords(name: ScenarioName, { nodeStart, podStart, podStop, simulation, horizon }: ScenarioTimes, nodes: number): string[] {
  return [
    `a node takes pods ${nodeStart} seconds after it is asked for, a pod is ready ${podStart} seconds after it has a node, and gone ${podStop} seconds after it is told to end`,
    ...DECIDING.includes(name) ? simulationInWords(simulation, nodes) : [],
    ...name === 'zone-outage' ? [NODES_DELETED] : [],
    ...horizon === Infinity ? [] : [`nothing is looked at after ${formatGoDuration(horizon)}`],
  ];
}

function simulationInWords(given: number | undefined, nodes: number): string[] {
  const seconds = given ?? simulationOf(nodes, 0);
  if (seconds < WORTH_TELLING) return [];
  const inMilliseconds = (time: number) => Math.round(time * 1_000);
  const more = given === undefined ? `, and ${inMilliseconds(simulationOf(nodes, 100) - seconds)} ms more for each hundred pods that are on their way by then` : '';
  return [`Karpenter takes ${inMilliseconds(seconds)} ms for each node that it tries${more}`];
}
