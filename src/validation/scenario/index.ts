import { Catalog } from '../../catalog';
import {
  DEFAULT_START, runScenario, ScenarioName, ScenarioOptions, ScenarioReport, ScenarioTimes, SCENARIOS, timesOf,
} from '../../disruption';
import { formatGoDuration } from '../../model';
import { inItsRegion } from '../cluster/cluster-region';
import { readManifests, SourceFile } from '../manifest';
import { CheckOptions } from '../options';
import { scheduleInput } from '../schedule-input';
import { withoutUntoldLabels } from '../untold-labels';
import { disruptedCluster } from './disrupted-cluster';
import { latestMoment } from './node-facts';
import { peakReport } from './peak';

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
}

/**
 * Places all pods, and plays what may happen to their nodes then.
 *
 * @throws Error if an option has a value that it cannot have
 */
export function playScenario(sources: readonly SourceFile[], name: PlayedScenario, given: CheckOptions = {}, options: ScenarioOptions = {}): Played {
  const read = readManifests(sources, given);
  const resolved = inItsRegion(given, read);
  const model = withoutUntoldLabels(read, resolved);
  const catalog = Catalog.load(resolved);
  const input = scheduleInput(model, resolved);
  const start = options.start ?? latestMoment(model.cluster?.objects ?? []) ?? DEFAULT_START;
  const { cluster, plan, notes } = disruptedCluster(model, input, catalog, resolved, start);
  const begin = { start: new Date(start).toISOString() };
  const capacity = 'EC2 has capacity of everything, and launches the cheapest';
  if (name === 'peak') return { ...begin, reports: [peakReport({ model, input, catalog, plan, cluster })], assumptions: [...notes, capacity] };
  const times = timesOf(name, options);
  return {
    ...begin,
    times: toTheEnd(times),
    reports: runScenario(name, cluster, { times, start }),
    assumptions: [...notes, `it begins at ${begin.start}, with all pods that have a node ready`, ...inWords(times), capacity],
  };
}

function toTheEnd({ horizon, ...times }: ScenarioTimes): Partial<ScenarioTimes> {
  return horizon === Infinity ? times : { ...times, horizon };
}

function inWords({ nodeStart, podStart, podStop, horizon }: ScenarioTimes): string[] {
  return [
    `a node takes pods ${nodeStart} seconds after it is asked for, a pod is ready ${podStart} seconds after it has a node, and gone ${podStop} seconds after it is told to end`,
    ...horizon === Infinity ? [] : [`nothing is looked at after ${formatGoDuration(horizon)}`],
  ];
}
