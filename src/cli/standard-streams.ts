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

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a terminal shows colors: https://no-color.org. */
export function showsColors({ NO_COLOR, TERM }: Environment): boolean {
  return !NO_COLOR && TERM !== 'dumb';
}

/** Whether a terminal shows only ASCII, because its locale is not UTF-8. Terminals of Windows have no locale. */
export function showsOnlyAscii({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment, platform: NodeJS.Platform): boolean {
  // The first one that is set counts, as in POSIX.
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return TERM === 'dumb' || (platform !== 'win32' && !/utf-?8/i.test(locale));
}
