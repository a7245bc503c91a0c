export { chosenPolicy, gentlerPolicy } from './choice';
export { comparePolicies, UnknownJobError } from './compare-policies';
export type { PolicyComparison, PolicyDay, PolicyOptions } from './compare-policies';
export { LoadFileError } from './load-file';
export type { JobDurations } from './scheduled-jobs';
