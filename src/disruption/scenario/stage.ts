import { ClaimFacts, Cluster, Instant } from '../cluster';
import { drain } from './drain-node';
import { Happening, Run } from './run';
import { ScenarioTimes } from './scenario-times';
import { World } from './world';

/** Where a scenario begins. */
export interface Stage {
  readonly cluster: Cluster;
  readonly start: Instant;
  readonly times: ScenarioTimes;
}

/** Each run has a world of its own, in which nodes that go already do so. */
export function base(scenario: string, { cluster, start, times }: Stage, happenings: readonly Happening[] = []): Run {
  const world = new World(cluster, start, times);
  for (const { name, deleting, claim } of cluster.nodes) {
    if (deleting) drain(world, name, leftOf(claim, start));
  }
  return { scenario, world, happenings };
}

/** What is left of the time that draining the node may last. */
function leftOf({ terminationGracePeriod, deletedAt }: Partial<ClaimFacts> = {}, start: Instant): number | undefined {
  return terminationGracePeriod === undefined ? undefined : Math.max(0, terminationGracePeriod - (start - (deletedAt ?? start)));
}
