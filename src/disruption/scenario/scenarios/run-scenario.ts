import { Cluster, Instant } from '../../cluster';
import { Rollout } from '../../day/day-plan';
import { rolloutReports } from '../../day/rollout-scenario';
import { ClusterBaseline } from '../cluster/cluster-baseline';
import { ScenarioReport } from '../report/scenario-report';
import { checkTimes, DEFAULT_START, DEFAULT_TIMES, ScenarioTimes } from '../scenario-times';
import { MAX_WORK } from '../work-budget';
import { capacityBlockEnds } from './capacity-block';
import { consolidation, jobEnds } from './consolidation';
import { DeletionTarget, deletions } from './deletion';
import { driftScenario, DriftedNode } from './drift';
import { expiration } from './expiration';
import { nodeRepairs } from './node-repair';
import { scaleDowns } from './scale-down';
import { isScarcity, scarcities, ScarcityName } from './scarcity';
import { spotInterruptions } from './spot-interruption';
import { zoneOutages } from './zone-outage';

export const SCENARIOS = [
  'consolidation',
  'spot-interruption',
  'zone-outage',
  'drift',
  'expiration',
  'capacity-block',
  'node-repair',
  'deletion',
  'scale-down',
  'job-end',
] as const;
/** Scarcities and rollouts are simulated only if they are asked for by name. */
export type ScenarioName = (typeof SCENARIOS)[number] | ScarcityName | 'rollout';

export interface ScenarioOptions {
  /** @default DEFAULT_TIMES */
  readonly times?: Partial<ScenarioTimes>;
  /** Decides which disruption budgets are active. @default - a Monday, 12:00 UTC */
  readonly start?: Instant;
  /** For `drift`: the nodes that drift. @default - all nodes, as after a new AMI */
  readonly drifted?: readonly DriftedNode[];
  /** For `deletion`: the object to delete. @default - each NodePool, on its own */
  readonly of?: DeletionTarget;
  /** For `job-end`: the Jobs whose pods end, by `workloadKey`. @default - each Job that has pods, on its own */
  readonly jobs?: readonly string[];
  /** For `rollout`: the Deployments with their strategies. @default - none */
  readonly rollouts?: readonly Rollout[];
  /** Called before each tick, with the simulated seconds since the start. @default - no calls */
  readonly onTick?: (simulatedSeconds: number) => void;
  /**
   * The most work of one simulation, in nodes and groups of pods of its scheduling simulations. Beyond it, the
   * simulation stops, and its report says so. @default - 15 to 60 seconds of one core
   */
  readonly maxWork?: number;
  /**
   * For `consolidation`: whether the report says why nodes remain, and what would free them. This takes further
   * simulations. @default false
   */
  readonly explainsStays?: boolean;
}

/**
 * Simulates a scenario. Returns one report for each way in which it can happen: for each spot node, zone, capacity
 * block, Job and so on.
 *
 * @param cluster the cluster, or its baseline if several scenarios of it are simulated
 * @throws PackerLimitError if the pools alone exceed the limits of the solver
 * @throws RangeError if a time is out of range
 * @throws UnknownTargetError if the object to delete does not exist
 */
export function runScenario(
  name: ScenarioName,
  cluster: Cluster | ClusterBaseline,
  options: ScenarioOptions = {},
): ScenarioReport[] {
  const {
    start: startTime = DEFAULT_START,
    drifted,
    of,
    jobs,
    onTick,
    maxWork = MAX_WORK,
    explainsStays = false,
  } = options;
  const baseline = cluster instanceof ClusterBaseline ? cluster : new ClusterBaseline(cluster);
  const start = { baseline, start: startTime, times: timesOf(name, options), onTick, maxWork };
  if (isScarcity(name)) return scarcities(name, start);
  switch (name) {
    case 'rollout':
      return rolloutReports(start, options.rollouts ?? []);
    case 'consolidation':
      return consolidation(start, explainsStays);
    case 'drift':
      return driftScenario(start, drifted);
    case 'spot-interruption':
      return spotInterruptions(start);
    case 'zone-outage':
      return zoneOutages(start);
    case 'expiration':
      return expiration(start);
    case 'capacity-block':
      return capacityBlockEnds(start);
    case 'node-repair':
      return nodeRepairs(start);
    case 'deletion':
      return deletions(start, of);
    case 'scale-down':
      return scaleDowns(start);
    case 'job-end':
      return jobEnds(start, jobs);
  }
}

/** The times of a scenario, with defaults for missing times. */
export function timesOf(scenario: ScenarioName, { times }: ScenarioOptions): ScenarioTimes {
  return checkTimes({ ...DEFAULT_TIMES, ...(scenario === 'expiration' ? { horizon: Infinity } : {}), ...times });
}
