import { accessSync, constants, lstatSync, Stats } from 'fs';
import { renameInto } from './whole-file';
import { leadsInto, readRegularText, repositoryRoot } from '../../model';
import { UsageError } from '../io';

/* eslint-disable no-bitwise -- permissions of files are bit sets */
const ANY_WRITE = 0o222;
const PERMISSIONS = 0o7777;

export interface FileReplacement {
  readonly path: string;
  /** The text that was read. */
  readonly before: string;
  readonly after: string;
}

/**
 * Replaces files as a whole: a reader sees either the old or the new text. All files are examined before the first one
 * is replaced.
 *
 * @param option names the option of the command line in errors
 * @throws UsageError if a file is a symbolic link, read-only, or has changed since it was read
 */
export function replaceFiles(replacements: readonly FileReplacement[], option = '--fix'): void {
  const modes = replacements.map((replacement) => requireReplaceable(replacement, option).mode & PERMISSIONS);
  replacements.forEach(({ path, after }, index) => replaceFile(path, after, modes[index], option));
}

function requireReplaceable({ path, before }: FileReplacement, option: string): Stats {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink())
    throw new UsageError(
      `${option}: ${path} is a symbolic link, which would be replaced by a file; name the file that it links to`,
    );
  if (!stats.isFile()) throw new UsageError(`${option}: ${path} is not a file that can be changed; name a file`);
  if (!leadsInto(path, repositoryRoot(path)))
    throw new UsageError(
      `${option}: ${path} is in a linked folder that leads out of the repository; name its real path`,
    );
  if ((stats.mode & ANY_WRITE) === 0 || !isWritable(path))
    throw new UsageError(
      `${option}: ${path} is read-only; make it writable${option === '--fix' ? ', or run with --dry-run to see the changes' : ''}`,
    );
  if (readRegularText(path, Infinity) !== before)
    throw new UsageError(`${option}: ${path} was changed while it was checked; run the command again`);
  return stats;
}

function replaceFile(path: string, text: string, mode: number, option: string): void {
  try {
    renameInto(path, text, mode);
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be written, ${(error as Error).message}; make its folder writable`);
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
