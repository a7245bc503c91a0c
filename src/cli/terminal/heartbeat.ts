import { stepText } from './progress-line';
import { durationText } from '../../model';
import type { ProgressListener } from '../../validation';

const INTERVAL_MS = 30_000;

/**
 * Writes a line about every 30 seconds while a command works, for logs of CI: without a terminal, a long run looks like
 * one that hangs. Shorter commands write nothing.
 *
 * @param now the time in milliseconds
 */
export function heartbeat(now: () => number, write: (text: string) => void): ProgressListener {
  const start = now();
  let last = start;
  return (step) => {
    const time = now();
    if (time - last < INTERVAL_MS) return;
    last = time;
    write(`${durationText(Math.floor((time - start) / 1_000))}: ${stepText(step)}\n`);
  };
}
