export { readCrds } from './crds';
export type { DocumentTree } from './documents';
export { readTrees } from './documents';
export * from './model';
export type { DocumentProblem } from './plain-value';
export { isMergeKey, scalarValue } from './plain-value';
export { READING_RULES } from './problem-log';
export { readManifests } from './read';
export { findUnreadable, LARGEST_FILE_BYTES, SourceText, tooLarge } from './source-text';
