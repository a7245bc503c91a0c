import { isMainThread, parentPort, workerData } from 'worker_threads';
import { Io } from './io';
import { main } from './main';
import { handleOutputErrors, showsColors, showsOnlyAscii } from './standard-streams';
import type { WorkerTerminal } from './terminal/messages';
import { heartbeat, workerIo } from './terminal/worker-io';

/**
 * Runs the command line of this process. It sets the exit code instead of exiting, so that piped output is written
 * completely.
 */
export function runAsProcess(): void {
  const io = isMainThread
    ? processIo()
    : workerIo(parentPort!, (workerData as { readonly terminal: WorkerTerminal }).terminal, Date.now);
  if (isMainThread) handleOutputErrors();
  void main(process.argv.slice(2), io).then((code) => {
    process.exitCode = code;
  });
}

function processIo(): Io {
  return {
    // Opened only when it is read: a command without `-` must not wait for input.
    get stdin() {
      return process.stdin;
    },
    writeOut: (text) => {
      process.stdout.write(text);
    },
    writeError: (text) => {
      process.stderr.write(text);
    },
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    onProgress: process.argv.includes('--quiet')
      ? undefined
      : heartbeat(Date.now, (text) => process.stderr.write(text)),
    isErrorTerminal: process.stderr.isTTY === true,
    color: process.stdout.isTTY === true && showsColors(process.env),
    // Pipes get the same bytes in every locale.
    ascii: process.stdout.isTTY === true && showsOnlyAscii(process.env, process.platform),
  };
}
