import { readdirSync, realpathSync, statSync, Stats } from 'fs';
import { dirname, join, resolve } from 'path';
import { leadsInto, repositoryRoot } from '../../model';
import { GitIgnore } from '../input/gitignore';

/** The watched files at one time. */
export interface Snapshot {
  /** Paths as the user wrote them, each with a text that differs after a change. Missing files are left out. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders in which files appear and disappear. */
  readonly folders: readonly string[];
}

/** Dependencies and data of tests, which `check` does not read either. */
const SKIPPED_FOLDERS = ['node_modules', 'testdata'];

/**
 * Looks at files, and at all files in folders: charts and kustomizations also use files that are no YAML.
 *
 * @param isOwn whether a file is written by the command itself
 */
export function takeSnapshot(paths: readonly string[], isOwn: (file: string) => boolean): Snapshot {
  const gitIgnore = new GitIgnore(paths);
  const files = new Map<string, string>();
  const folders = new Set<string>();
  // Links may form a circle, in which every folder has paths without end.
  const seen = new Set<string>();
  const add = (path: string, isGiven: boolean, root: string) => {
    const stats = statOf(path);
    if (!stats?.isDirectory()) {
      if (isGiven) folders.add(resolve(dirname(path)));
      // A pipe or a device has no end.
      if (stats?.isFile() && !isOwn(path)) files.set(path, `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
      return;
    }
    const real = realpathSync(path);
    if (seen.has(real)) return;
    seen.add(real);
    folders.add(resolve(path));
    for (const { name, isFolder } of entriesOf(path)) {
      const inside = join(path, name);
      if (isSkipped(name, isFolder) || gitIgnore.isIgnored(isFolder ? `${inside}/` : inside)) continue;
      if (leadsInto(inside, root)) add(inside, false, root);
    }
  };
  for (const path of paths) add(path, true, repositoryRoot(path));
  return { files, folders: [...folders].filter((folder) => statOf(folder)?.isDirectory()) };
}

/** Editors write hidden files and copies that end with a tilde. */
function isSkipped(name: string, isFolder: boolean): boolean {
  return name.startsWith('.') || name.endsWith('~') || (isFolder && SKIPPED_FOLDERS.includes(name));
}

function entriesOf(folder: string): Array<{ readonly name: string; readonly isFolder: boolean }> {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return []; // Deleted just now, or not readable: then `check` says so.
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const MOST_NAMES = 5;

/** `web.yaml changed, pool.yaml added`, or nothing if the snapshots are equal. */
export function changesBetween({ files: before }: Snapshot, { files: after }: Snapshot): string {
  const changes = [
    ...[...after]
      .filter(([path, state]) => before.get(path) !== state)
      .map(([path]) => `${path} ${before.has(path) ? 'changed' : 'added'}`),
    ...[...before.keys()].filter((path) => !after.has(path)).map((path) => `${path} removed`),
  ];
  const more = changes.length > MOST_NAMES ? ` and ${changes.length - MOST_NAMES} more` : '';
  return `${changes.slice(0, MOST_NAMES).join(', ')}${more}`;
}
