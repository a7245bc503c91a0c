import { lstatSync, realpathSync, renameSync, rmSync, Stats, statSync, writeFileSync } from 'fs';
import { basename, dirname, join } from 'path';
import { pid } from 'process';
import { leadsInto, repositoryRoot, workTreeOf } from '../../model';

/* eslint-disable no-bitwise -- permissions of files are bit sets */
const PERMISSIONS = 0o7777;
const DEFAULT_MODE = 0o666;
/** The folder takes no new file, or the file is a mount point: then the file can only be written in place. */
const IN_PLACE_CODES = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'];

/**
 * Replaces a file as a whole, so that a full disk leaves the old one. Devices and pipes such as `/dev/stdout` are
 * written in place.
 *
 * @throws Error if the file cannot be written, or a link of a repository leads to it from inside
 */
export function replaceWholeFile(path: string, text: string): void {
  if (!leadsInto(path, repositoryRoot(path))) throw new Error('it is a link that leads out of the repository');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) {
    if (workTreeOf(path) !== undefined) throw new Error('it is not a regular file');
    return writeFileSync(path, text);
  }
  // A link that leads nowhere is replaced. The file that it names may be outside of the repository.
  const target = stats === undefined ? path : realpathSync(path);
  try {
    renameInto(target, text, stats === undefined ? DEFAULT_MODE : stats.mode & PERMISSIONS);
  } catch (error) {
    if (!IN_PLACE_CODES.includes((error as NodeJS.ErrnoException).code ?? '') || isLink(target)) throw error;
    writeFileSync(target, text);
  }
}

/** Writes a new file beside the target, and renames it. No link is followed. */
export function renameInto(target: string, text: string, mode: number): void {
  const unfinished = join(dirname(target), `.${basename(target)}.${pid}.tmp`);
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode });
    renameSync(unfinished, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(unfinished, { force: true });
    throw error;
  }
}

function isLink(path: string): boolean {
  const stats: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true;
}
