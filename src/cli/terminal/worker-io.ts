import { createReadStream } from 'fs';
import type { MessagePort } from 'worker_threads';
import { WorkerMessage, WorkerTerminal } from './messages';
import type { Io, PartialResult } from '../io';
import { stepText } from './progress-line';
import { durationText } from '../../model';
import type { ProgressListener } from '../../validation';

const STDIN = 0;
/** Progress and partial results are sent at most this often: some units take microseconds. */
const PROGRESS_INTERVAL_MS = 100;
const PARTIAL_INTERVAL_MS = 1_000;

/**
 * The parts of a process for a command in a thread of its own.
 *
 * @param now the time in milliseconds
 */
export function workerIo(
  port: Pick<MessagePort, 'postMessage'>,
  { color, columns, ascii }: WorkerTerminal,
  now: () => number,
): Io {
  const send = (message: WorkerMessage) => port.postMessage(message);
  const isProgressDue = every(PROGRESS_INTERVAL_MS, now);
  const isPartialDue = every(PARTIAL_INTERVAL_MS, now);
  return {
    // Opened only when it is read: a command without `-` must not wait for input.
    get stdin() {
      return createReadStream('', { fd: STDIN, autoClose: false }) as AsyncIterable<Uint8Array>;
    },
    color,
    columns,
    ascii,
    writeOut: (text) => send({ kind: 'out', text }),
    writeError: (text) => send({ kind: 'error', text }),
    onProgress: (step) => {
      if (isProgressDue()) send({ kind: 'progress', step });
    },
    keepPartialResult: (makeResult: () => PartialResult) => {
      if (isPartialDue()) send({ kind: 'partial', result: makeResult() });
    },
  };
}

function every(interval: number, now: () => number): () => boolean {
  let last = -Infinity;
  return () => {
    const time = now();
    if (time - last < interval) return false;
    last = time;
    return true;
  };
}

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
