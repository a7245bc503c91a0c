import { writeFileSync } from 'fs';
import { stripVTControlCharacters } from 'util';
import { Io, UsageError } from '../io';

/** Whether the result gets colors: only in a terminal, never in a file. */
export function isColored(io: Io, file: string | undefined): boolean {
  return io.color && file === undefined;
}

/** Writes text for people. Long lines are wrapped in a terminal. */
export function writeText(io: Io, file: string | undefined, text: string): void {
  writeResult(io, file, file === undefined && io.columns !== undefined ? wrap(text, io.columns) : text);
}

export function writeResult(io: Io, file: string | undefined, text: string): void {
  if (file === undefined) return io.writeOut(text);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`--output: cannot be written, ${(error as Error).message}; name a writable file`);
  }
}

/** Table style without lines, like kubectl's. */
export const PLAIN_TABLE = {
  chars: {
    'top': '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    'bottom': '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    'left': '',
    'left-mid': '',
    'mid': '',
    'mid-mid': '',
    'right': '',
    'right-mid': '',
    'middle': '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, 'head': [], 'border': [] },
};

/** Removes the padding of the last column. */
export function formatTable(table: string): string {
  return `${table.replace(/ +$/gm, '')}\n`;
}

/** Text is not wrapped in a narrower terminal, because it would become harder to read. */
const MIN_COLUMNS = 40;
const HANGING_INDENT = 2;

/** Wraps long lines between words, and indents the continuation. Words are never broken. */
export function wrap(text: string, columns: number): string {
  return columns < MIN_COLUMNS ? text : text.split('\n').map((line) => wrapLine(line, columns)).join('\n');
}

function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const [indent] = /^ */.exec(line)!;
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current.trimEnd());
      current = ' '.repeat(indent.length + HANGING_INDENT) + word;
    } else {
      current += isFirst ? word : ` ${word}`;
    }
  }
  return [...lines, current].join('\n');
}

function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
