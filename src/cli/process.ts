import { EXIT, Io } from './io';
import { main } from './main';

/**
 * Runs the command line of this process. It sets the exit code instead of exiting, so that piped output is written
 * completely.
 */
export function runAsProcess(): void {
  // A reader that stops early, such as `head`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`error: standard output cannot be written, ${error.message}\n`, () => process.exit(EXIT.unusable));
  });
  // Lost messages do not matter: the exit code tells the result.
  process.stderr.on('error', () => {});
  void main(process.argv.slice(2), processIo()).then((code) => {
    process.exitCode = code;
  });
}

function processIo(): Io {
  return {
    // Opened only when it is read: a command without `-` must not wait for input.
    get stdin() { return process.stdin; },
    writeOut: (text) => { process.stdout.write(text); },
    writeError: (text) => { process.stderr.write(text); },
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  };
}
