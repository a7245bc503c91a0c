export { UnknownTargetError } from '../../disruption';
export { playScenario, SCENARIO_NAMES } from './play-scenario';
export type { NotPlayed, Played, PlayedScenario } from './play-scenario';
export { playScenarios } from './play-scenarios';
export type { ReadyWorkload } from './ready-workloads';
export { stagedOf } from './staged';
export type { Staged } from './staged';
