import { version } from 'process';
import { setFlagsFromString } from 'v8';
import type { SourceFile } from '../validation';

/**
 * Bytes of bytecode that a function runs before V8 considers optimizing it. V8's default is a sixth of the lower value.
 */
const BUDGET_FOR_LITTLE_WORK = 3_000_000;
const BUDGET_FOR_MUCH_WORK = 400_000;
/** Characters of input. Less input takes at most half a second. */
const MUCH_TEXT = 200_000;

/**
 * Delays optimization by V8. Most commands end before optimized code pays for itself: with the delay, `check` on 200
 * Deployments uses less CPU time and takes as long as before.
 */
export function expectLittleWork(): void {
  optimizeAfter(BUDGET_FOR_LITTLE_WORK);
}

/** Lets V8 optimize earlier from now on, for a command that takes seconds. */
export function expectMuchWork(): void {
  optimizeAfter(BUDGET_FOR_MUCH_WORK);
}

/** Estimates the work from the size of the input. */
export function expectWorkOn(files: readonly SourceFile[]): void {
  if (files.reduce((sum, { text }) => sum + text.length, 0) > MUCH_TEXT) expectMuchWork();
}

/** Later versions of Node.js compile such code differently, and do not have this setting. */
function optimizeAfter(bytes: number): void {
  if (version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${bytes}`);
}
