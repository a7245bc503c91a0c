export * from './model';
export { READING_RULES } from './problem-log';
export { readManifests } from './read';
export { LARGEST_FILE_BYTES, tooLarge } from './source-text';
