import { Cluster, Instant } from '../cluster';
import { Happening, Run } from './run';
import { ScenarioTimes } from './scenario-times';
import { World } from './world';

/** Where a scenario begins. */
export interface Stage {
  readonly cluster: Cluster;
  readonly start: Instant;
  readonly times: ScenarioTimes;
}

/** Each run has a world of its own. */
export function base(scenario: string, { cluster, start, times }: Stage, happenings: readonly Happening[] = []): Run {
  return { scenario, world: new World(cluster, start, times), happenings };
}
