import type { ManifestFile } from './messages';
import { countText } from '../../src/model/text';

/** Larger manifests are for the command line: a browser has less memory, and its user waits. */
export const MAX_BYTES = 1_000_000;
const MAX_FILES = 50;
const REMEDY = 'Use the command line for them: npx karpenter-constructs check <folder>';

/** Why so many files are not checked. Undefined if they are few enough. */
export function countProblem(files: readonly unknown[]): string | undefined {
  return files.length <= MAX_FILES
    ? undefined
    : `These are ${countText(files.length, 'file')}, and this page checks at most ${MAX_FILES}. ${REMEDY}`;
}

/** Why the files are not checked. Undefined if they are few and small enough. */
export function sizeProblem(files: readonly ManifestFile[]): string | undefined {
  // Only texts near the limit are counted exactly.
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  const bytes = characters < MAX_BYTES / 4 ? characters : new Blob(files.map(({ text }) => text)).size;
  if (bytes <= MAX_BYTES) return countProblem(files);
  return `These manifests have ${(bytes / 1e6).toFixed(1)} MB, and this page checks at most 1 MB. ${REMEDY}`;
}
