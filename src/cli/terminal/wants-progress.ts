/** Commands that may take more than a second. */
const LONG_COMMANDS = ['check', 'diff', 'explain'];

/** Whether somebody looks at standard error who wants to see progress. */
export function wantsProgress({
  argv,
  env,
  stderr,
}: Pick<NodeJS.Process, 'argv' | 'env'> & { readonly stderr: { readonly isTTY?: boolean } }): boolean {
  const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
  return (
    stderr.isTTY === true &&
    env.TERM !== 'dumb' &&
    !isCi &&
    LONG_COMMANDS.includes(argv[2]) &&
    !argv.includes('--quiet') &&
    // A thread does not get Ctrl-C, which ends the watch.
    !argv.includes('--watch')
  );
}
