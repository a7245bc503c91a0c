export { allowedDisruptions, DEFAULT_BUDGETS } from './budgets';
export type { Blocked, Candidate } from './candidates';
export { workloadKey } from './cluster';
export type * from './cluster';
export type * from './command';
export { disruptionPass } from './disruption-pass';
export type { DisruptionPass } from './disruption-pass';
