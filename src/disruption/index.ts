export { allowedByMinute, DISRUPTION_REASONS } from './budgets/budget-calendar';
export { allowedDisruptions, DEFAULT_BUDGETS } from './budgets/disruption-budgets';
export {
  budgetsAllowingOnly,
  intersectWindows,
  joinWindows,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  weeklyWindowsOf,
} from './budgets/weekly-windows';
export type { WeeklyWindow } from './budgets/weekly-windows';
export { costOf } from './candidates/prices';
export { workloadKey } from './cluster';
export type * from './cluster';
export { disruptionPass } from './controller';
export type { DisruptionPass } from './controller';
export type * from './day/day-plan';
export type { DayReport, DayWorkloadReport, ReadyShare } from './day/day-stats';
export { RolloutPods } from './day/rollout-controller';
export { simulateDay } from './day/simulate-day';
export { SPOT_TO_SPOT_TYPES } from './methods/consolidation';
export { daemonPods, isDrainable } from './pods';
export { ClusterBaseline } from './scenario/cluster/cluster-baseline';
export type * from './scenario/report/scenario-report';
export { DEFAULT_START, simulationOf } from './scenario/scenario-times';
export type { ScenarioTimes } from './scenario/scenario-times';
export { UnknownTargetError } from './scenario/scenarios/deletion';
export type { DeletionTarget } from './scenario/scenarios/deletion';
export type { DriftedNode } from './scenario/scenarios/drift';
export { runScenario, SCENARIOS, timesOf } from './scenario/scenarios/run-scenario';
export type { ScenarioName, ScenarioOptions } from './scenario/scenarios/run-scenario';
export { isScarcity } from './scenario/scenarios/scarcity';
export type { ScarcityName } from './scenario/scenarios/scarcity';
export { DisruptionSession } from './session';
export type * from './stays/node-stay';
export type * from './types';
