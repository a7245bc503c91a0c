import { EXIT } from './io';

/** Ends the process if its output cannot be written any more. */
export function handleOutputErrors(): void {
  // A reader that stops early, such as `head`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`error: standard output cannot be written, ${error.message}\n`, () =>
      process.exit(EXIT.unusable),
    );
  });
  // Lost messages do not matter: the exit code tells the result.
  process.stderr.on('error', () => {});
}
