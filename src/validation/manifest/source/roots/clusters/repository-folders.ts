import { dirname, join, normalize } from 'path';
import { SourceFile } from '../../../model';

/** A placeholder of an ApplicationSet whose value is not in the input. */
const PLACEHOLDER = /\{\{[^{}]*\}\}/;
/** A longer pattern is none that somebody has written, and takes long. */
const LONGEST_PATTERN = 1000;

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
    if (pattern.length > LONGEST_PATTERN) return [];
    for (const candidate of this.candidates(file, pattern)) {
      const parts = partsOf(candidate);
      const found = [...this.folders].filter((folder) => matchesParts(folder, parts)).sort();
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
    .replace(/(?<!\/)\/+$/, '')
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

/** A part of a pattern: a text, or at least one character of any or of one name. */
type Part = { readonly text: string } | { readonly hasSlashes: boolean };

/** `**` stands for any text, `*` and a placeholder for any name. */
function partsOf(pattern: string): Part[] {
  return pattern.split(new RegExp(`(${PLACEHOLDER.source}|\\*\\*|\\*)`)).map((text, index): Part => {
    if (index % 2 === 0) return { text };
    return { hasSlashes: text === '**' };
  });
}

/**
 * Whether a text matches. The time is at most the product of both lengths, because all places that the parts so far can
 * end at are followed together. A regular expression would try each combination of them.
 */
function matchesParts(text: string, parts: readonly Part[]): boolean {
  let ends = [0];
  for (const part of parts) {
    if (ends.length === 0) return false;
    if ('text' in part) {
      ends = ends.filter((end) => text.startsWith(part.text, end)).map((end) => end + part.text.length);
      continue;
    }
    const next: number[] = [];
    const starts = new Set(ends);
    let isOpen = false;
    for (let end = ends[0]; end < text.length; end++) {
      isOpen = (isOpen || starts.has(end)) && (part.hasSlashes || text[end] !== '/');
      if (isOpen) next.push(end + 1);
    }
    ends = next;
  }
  return ends.includes(text.length);
}
