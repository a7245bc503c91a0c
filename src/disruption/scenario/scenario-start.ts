import { ClaimFacts, Instant } from '../cluster';
import { ClusterBaseline } from './cluster/cluster-baseline';
import { SimulatedCluster } from './cluster/simulated-cluster';
import { ScenarioReport } from './report/scenario-report';
import { ScenarioTimes } from './scenario-times';
import { simulate, SimulationOptions } from './simulate';

/** What a scenario starts with. */
export interface ScenarioStart {
  readonly baseline: ClusterBaseline;
  readonly start: Instant;
  readonly times: ScenarioTimes;
  readonly onTick?: (simulatedSeconds: number) => void;
  /** Where the simulation stops. @default MAX_WORK */
  readonly maxWork?: number;
}

/** Simulates one course of events. Nodes that are deleting at the start continue to drain. */
export function simulateFrom(start: ScenarioStart, options: SimulationOptions): ScenarioReport {
  return simulate(startedCluster(start), { ...options, onTick: start.onTick });
}

/** The cluster before anything happens, except that nodes that are deleting drain. */
export function startedCluster({ baseline, start, times, maxWork }: ScenarioStart): SimulatedCluster {
  const cluster = new SimulatedCluster(baseline, start, times, maxWork);
  for (const { name, deleting, claim } of baseline.cluster.nodes) {
    if (deleting) cluster.startDraining(name, remainingDrainTime(claim, start));
  }
  return cluster;
}

/** Milliseconds that remain of the terminationGracePeriod. */
function remainingDrainTime(
  { terminationGracePeriod, deletedAt }: Partial<ClaimFacts> = {},
  start: Instant,
): number | undefined {
  return terminationGracePeriod === undefined
    ? undefined
    : Math.max(0, terminationGracePeriod - (start - (deletedAt ?? start)));
}
