import { dirname, join, normalize, relative } from 'path';
import { pathPattern } from './glob';
import { SourceFile } from '../../../model';

/** A file or a folder that a pattern matches. */
export interface MatchedPath {
  /** The path in the input. */
  readonly found: string;
  /** The path from the root of the repository. */
  readonly path: string;
}

/** The folders and files of the input, by the paths that objects in it write. */
export class RepositoryFolders {
  private readonly files: ReadonlyMap<string, SourceFile>;
  private readonly folders: ReadonlySet<string>;

  /** @param names of the repositories that the input belongs to; empty if they are unknown */
  public constructor(
    files: readonly SourceFile[],
    private readonly names: ReadonlySet<string> = new Set(),
  ) {
    this.files = new Map(files.map((file) => [normalize(file.path), file]));
    this.folders = new Set([...this.files.keys()].flatMap(ancestorsOf));
  }

  /** Whether a URL may be that of the input: only the last step is compared, because forks keep it. */
  public isOwn(url: unknown): boolean {
    if (typeof url !== 'string' || this.names.size === 0 || url.includes('{{')) return true;
    return this.names.has(repositoryName(url));
  }

  /** @param folder its path in the input */
  public has(folder: string): boolean {
    return this.folders.has(normalize(folder));
  }

  /** The paths of all folders from the outermost folder around a file. */
  public pathsFrom(file: string): string[] {
    const [root] = rootsAbove(file).filter((folder) => this.folders.has(folder) && folder !== '/');
    return [...this.folders]
      .map((folder) => relative(root, folder))
      .filter((path) => path !== '' && !path.startsWith('..'));
  }

  /** @param path its path in the input */
  public file(path: string): SourceFile | undefined {
    return this.files.get(path);
  }

  /** The folder with a path relative to the root of the repository, which is the outermost folder that has it. */
  public find(file: string, path: string): string | undefined {
    return rootsAbove(file)
      .map((root) => pathFrom(root, path))
      .find((folder) => this.folders.has(folder));
  }

  /** Like `find`, but `*` and placeholders match any name of a folder. */
  public match(file: string, pattern: string): MatchedPath[] {
    return matched(file, pattern, [...this.folders]);
  }

  public matchFiles(file: string, pattern: string): MatchedPath[] {
    return matched(file, pattern, [...this.files.keys()]);
  }
}

/** The paths that match below the outermost folder with such paths. */
function matched(file: string, pattern: string, paths: readonly string[]): MatchedPath[] {
  for (const root of rootsAbove(file)) {
    const matches = pathPattern(pathFrom(root, pattern));
    const found = paths.filter(matches).sort();
    if (found.length > 0) return found.map((path) => ({ found: path, path: relative(root, path) }));
  }
  return [];
}

/** The last step of a URL, without the ending that it may have. */
export function repositoryName(url: string): string {
  return url
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .pop()!
    .toLowerCase();
}

/** The last two steps of a URL, which are the owner and the name. */
export function repositoryPath(url: string): string {
  return url
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
    .toLowerCase();
}

function pathFrom(root: string, path: string): string {
  return normalize(join(root, path)).replace(/(.)\/$/, '$1');
}

function rootsAbove(file: string): string[] {
  return ancestorsOf(normalize(file)).reverse();
}

/** From the folder of the file to the outermost one. */
function ancestorsOf(path: string): string[] {
  const folders = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}
