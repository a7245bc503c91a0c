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
