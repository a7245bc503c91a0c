import { Command } from 'commander';
import { STDIN } from '../input/source-files';
import { UsageError } from '../io';

/** The options as commander parses them. */
export interface FixFlags {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

export function addFixOptions(command: Command): Command {
  return command
    .option('--fix', 'make the safe fixes in the files (typos, missing group and kind, and the like), and check again')
    .option('--dry-run', 'with --fix: print a diff instead of changing files; the exit code is 1 if there is a fix');
}

/** @throws UsageError if there is no file to change */
export function requireFixable({ fix, dryRun }: FixFlags, paths: readonly string[]): void {
  if (dryRun && !fix) throw new UsageError('--dry-run: only --fix changes files; write --fix --dry-run');
  if (fix && paths.includes(STDIN))
    throw new UsageError('--fix: standard input is not a file that can be changed; name the files');
}
