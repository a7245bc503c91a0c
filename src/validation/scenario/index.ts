export { UnknownTargetError } from '../../disruption';
export { ScenarioSession, SCENARIO_NAMES, simulateScenario } from './simulate-scenario';
export type { ScenarioResult, SimulatedScenario, SkippedScenario } from './simulate-scenario';
export { simulateScenarios } from './simulate-scenarios';
export type { ReadyWorkload } from './workload-replicas';
export { explainNodes } from './explain-nodes';
export type { NodeExplanation, NodeExplanations } from './explain-nodes';
export { prepareCluster } from './prepared-cluster';
export type { PreparedCluster } from './prepared-cluster';
