export { fixFiles } from './fix-files';
export type { AppliedFix, FixedFiles } from './fix-files';
export { unifiedDiff } from './unified-diff';
