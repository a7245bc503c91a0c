import { EXIT, Io } from './io';
import { main } from './main';

/** Runs the command of this process's arguments. Sets the exit code rather than exiting, so that piped output is written whole. */
export function runAsProcess(): void {
  // A reader that has enough, such as `head`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`error: standard output cannot be written, ${error.message}\n`, () => process.exit(EXIT.unusable));
  });
  // The exit code says what matters of messages that nobody gets.
  process.stderr.on('error', () => {});
  void main(process.argv.slice(2), processIo()).then((code) => {
    process.exitCode = code;
  });
}

function processIo(): Io {
  return {
    // Opened only when read: a command without `-` must not wait for input.
    get stdin() { return process.stdin; },
    writeOut: (text) => { process.stdout.write(text); },
    writeError: (text) => { process.stderr.write(text); },
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    color: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  };
}
