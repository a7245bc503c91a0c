export { fixFiles } from './fix-files';
export type { AppliedFix, FixedFiles } from './fix-files';
export { fixOf } from './fix-of';
export { unifiedDiff } from './unified-diff';
