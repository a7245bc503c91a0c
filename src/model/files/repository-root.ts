import { lstatSync, realpathSync, Stats, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/**
 * The folder that a path belongs to, without links: the Git work tree around it, otherwise the folder itself or that of
 * the file. What is outside of this folder is neither read nor written because of what the repository contains.
 */
export function repositoryRoot(path: string): string {
  const workTree = workTreeOf(path);
  if (workTree !== undefined) return realpathSync(workTree);
  const real = realOrResolved(path);
  return isFolder(real) ? real : dirname(real);
}

/**
 * The Git work tree around a path. A work tree of another owner is ignored, because on a shared machine anybody can put
 * files into a folder such as `/tmp`.
 */
export function workTreeOf(path: string): string | undefined {
  const start = isFolder(path) ? resolve(path) : dirname(resolve(path));
  const owner = statOf(start)?.uid;
  for (let folder = start; ; folder = dirname(folder)) {
    if (isGitFolder(folder)) return isOfOwner(statOf(folder), owner) ? folder : undefined;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a path leads into a root, whatever links it passes through. The path may be that of a new file. */
export function leadsInto(path: string, root: string): boolean {
  const real = realOrResolved(path);
  return real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

/** The path without links; of a new file or a link that leads nowhere, the folder without links. */
function realOrResolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const full = resolve(path);
    if (dirname(full) === full) return full;
    return join(realOrResolved(dirname(full)), full.slice(dirname(full).length));
  }
}

function isGitFolder(folder: string): boolean {
  try {
    const stats = lstatSync(join(folder, '.git'));
    return stats.isDirectory() || stats.isFile();
  } catch {
    return false;
  }
}

function isOfOwner(stats: Stats | undefined, owner: number | undefined): boolean {
  return stats !== undefined && (stats.uid === owner || stats.uid === process.getuid?.());
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
