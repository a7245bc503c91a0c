import { Catalog } from '../../catalog';
import { DEFAULT_START, DEFAULT_TIMES, runScenario, ScenarioName, ScenarioOptions, ScenarioReport, SCENARIOS } from '../../disruption';
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
  const reports = name === 'peak' ? [peakReport({ model, input, catalog, plan, cluster })] : runScenario(name, cluster, { ...options, start });
  return { reports, assumptions: [...notes, ...assumptionsOf(start, options)] };
}

function assumptionsOf(start: number, { times }: ScenarioOptions): string[] {
  const { nodeStart, podStart, podStop } = { ...DEFAULT_TIMES, ...times };
  return [
    `it begins at ${new Date(start).toISOString()}, with all pods that have a node ready`,
    `a node takes pods ${nodeStart} seconds after it is asked for, a pod is ready ${podStart} seconds after it has a node, and gone ${podStop} seconds after it is told to end`,
    'EC2 has capacity of everything, and launches the cheapest',
  ];
}
