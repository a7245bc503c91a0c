import { dirname, join, normalize } from 'path';
import { SourceFile } from '../../../model';

/** A placeholder of an ApplicationSet whose value is not in the input. */
const PLACEHOLDER = /\{\{[^}]*\}\}/g;

/** The folders of the input, by the paths that objects in it write. */
export class RepositoryFolders {
  private readonly folders: ReadonlySet<string>;

  /** @param names of the repositories that the input belongs to; empty if they are unknown */
  public constructor(
    files: readonly SourceFile[],
    private readonly names: ReadonlySet<string> = new Set(),
  ) {
    this.folders = new Set(files.flatMap(({ path }) => ancestorsOf(normalize(path))));
  }

  /** Whether a URL may be that of the input: only the last step is compared, because forks keep it. */
  public isOwn(url: unknown): boolean {
    if (typeof url !== 'string' || this.names.size === 0 || url.includes('{{')) return true;
    return this.names.has(repositoryName(url));
  }

  /** The folder with a path relative to the root of the repository, which is the outermost folder that has it. */
  public find(file: string, path: string): string | undefined {
    return this.candidates(file, path).find((folder) => this.folders.has(folder));
  }

  /** Like `find`, but `*` and placeholders match any name of a folder. */
  public match(file: string, pattern: string): string[] {
    for (const candidate of this.candidates(file, pattern)) {
      const expression = new RegExp(
        `^${escaped(candidate)
          .replace(PLACEHOLDER, '[^/]+')
          .replace(/\\\*\\\*/g, '.+')
          .replace(/\\\*/g, '[^/]+')}$`,
      );
      const found = [...this.folders].filter((folder) => expression.test(folder)).sort();
      if (found.length > 0) return found;
    }
    return [];
  }

  private candidates(file: string, path: string): string[] {
    return ancestorsOf(normalize(file))
      .reverse()
      .map((root) => normalize(join(root, path)).replace(/(.)\/$/, '$1'));
  }
}

/** The last step of a URL, without the ending that it may have. */
export function repositoryName(url: string): string {
  return url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .pop()!
    .toLowerCase();
}

/** From the folder of the file to the outermost one. */
function ancestorsOf(path: string): string[] {
  const folders = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/** Escapes a text for a regular expression, except placeholders. */
function escaped(text: string): string {
  return text
    .split(/(\{\{[^}]*\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
}
