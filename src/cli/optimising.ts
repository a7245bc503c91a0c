import { version } from 'process';
import { setFlagsFromString } from 'v8';
import type { SourceFile } from '../validation';

/** In bytes of bytecode that one function runs until V8 looks whether to optimise it; its own setting is a sixth of the lower one. */
const OF_LITTLE_WORK = 3_000_000;
const OF_MUCH_WORK = 400_000;
/** Of text: no more than half a second is spent on less. */
const MUCH_TEXT = 200_000;

/**
 * Most commands end before what V8 optimises of them is run often enough to pay for that: where it waits, `check` on two hundred
 * Deployments takes less of the processors, and no longer.
 */
export function expectLittleWork(): void {
  optimiseAfter(OF_LITTLE_WORK);
}

/** From here on V8 waits less: a command that takes seconds gains by what it optimises. */
export function expectMuchWork(): void {
  optimiseAfter(OF_MUCH_WORK);
}

/** Whether there is much work is told by how much there is to read. */
export function expectWorkOn(files: readonly SourceFile[]): void {
  if (files.reduce((sum, { text }) => sum + text.length, 0) > MUCH_TEXT) expectMuchWork();
}

/** Later versions have a compiler for such code, and not this setting. */
function optimiseAfter(bytes: number): void {
  if (version.startsWith('v20.')) setFlagsFromString(`--interrupt-budget=${bytes}`);
}
