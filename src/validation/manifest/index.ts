export * from './model';
export { readManifests } from './read';
export { LARGEST_FILE_BYTES, tooLarge } from './source-text';
