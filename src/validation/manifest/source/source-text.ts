import { SourceFile } from '../model';

/**
 * Larger files are rejected: a file takes about fifty times its size in memory, so a larger one could end the process.
 */
export const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
}

export interface Unreadable {
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
  /** @default error */
  readonly severity?: 'error' | 'warning' | 'info';
}

/** The text of a file, with the positions of its lines. */
export class SourceText {
  public readonly path: string;
  public readonly text: string;
  private lineStarts?: number[];
  private readonly written?: string;

  public constructor(source: SourceFile) {
    this.path = source.path;
    this.written = source.written;
    // A byte order mark would shift the columns of the first line.
    this.text = source.text.charCodeAt(0) === 0xfeff ? source.text.slice(1) : source.text;
  }

  public position(offset: number): Position {
    if (offset === 0) return { line: 1, column: 1 };
    const starts = (this.lineStarts ??= lineStartsOf(this.text));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    const column = Math.min(offset, this.text.length) - starts[low] + 1;
    return { line: low + 1, column: this.written === undefined ? column : columnIn(this.written, low, column) };
  }
}

/** A made line may be longer than the written one, which then begins where the value is. */
function columnIn(written: string, line: number, column: number): number {
  const text = written.split('\n', line + 1)[line] ?? '';
  return column <= text.length + 1 ? column : text.search(/\S|$/) + 1;
}

/** Finds texts that cannot be YAML, before any parsing. */
export function findUnreadable(source: SourceFile): Unreadable | undefined {
  if (source.unreadable) return { offset: 0, ...source.unreadable };
  if (source.text.length > LARGEST_FILE_BYTES) return { offset: 0, ...tooLargeProblem(source.text.length) };
  const offset = source.text.indexOf('\0');
  if (offset < 0) return mergeConflict(source.text);
  return {
    offset,
    message: 'the file contains a NUL character, so it is not text',
    remedy: 'write YAML or JSON manifests as UTF-8 text',
  };
}

const CONFLICT_BEGIN = /^<{7}(?: .*)?\r?$/m;
const CONFLICT_PARTS = [/^={7}\r?$/m, /^>{7}(?: .*)?\r?$/m];

/** The lines that git writes where it could not merge. They are no YAML, and a parser reports what follows. */
function mergeConflict(text: string): Unreadable | undefined {
  const begin = CONFLICT_BEGIN.exec(text);
  if (!begin || !CONFLICT_PARTS.every((part) => part.test(text))) return undefined;
  return {
    offset: begin.index,
    message: 'the file has merge-conflict markers (<<<<<<<, =======, >>>>>>>), so it is no YAML',
    remedy: 'decide for one side of each conflict, and remove the lines with the markers',
  };
}

/** The text of an object has both fields at the begin of a line, or as keys of JSON. */
export function looksLikeManifest(text: string): boolean {
  return /^\s*(?:- +)?"?apiVersion"?\s*:/m.test(text) && /^\s*(?:- +)?"?kind"?\s*:/m.test(text);
}

const FIRST_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'data', 'items']);

/** Whether a document begins like an object, and not only a text in it, such as a script in the values of a chart. */
export function isManifestText(text: string): boolean {
  return text.split(/^---.*$/m).some((document) => {
    if (/^\s*[{[-]/.test(document)) return true;
    const [, first] = /^[ \t]*["']?([\w.-]+)["']?\s*:/m.exec(document) ?? [];
    return first !== undefined && FIRST_FIELDS.has(first);
  });
}

export function tooLargeProblem(bytes: number): { message: string; remedy: string } {
  const mebibytes = (n: number) => `${(n / 1024 / 1024).toFixed(1)} MiB`;
  return {
    message: `the file is too large: ${mebibytes(bytes)}, the limit is ${mebibytes(LARGEST_FILE_BYTES)}`,
    remedy: 'split it into several files, or remove objects that are neither Karpenter objects nor workloads',
  };
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}
