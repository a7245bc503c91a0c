import { writeFileSync } from 'fs';
import { Io, UsageError } from './io';
import { wrap } from './wrap';

/** Whether the result is for a person's eyes: a file never gets colours. */
export function isColored(io: Io, file: string | undefined): boolean {
  return io.color && file === undefined;
}

/** What is for reading, in whole lines unless a terminal is too narrow for them. */
export function writeText(io: Io, file: string | undefined, text: string): void {
  writeResult(io, file, file === undefined && io.columns !== undefined ? wrap(text, io.columns) : text);
}

export function writeResult(io: Io, file: string | undefined, text: string): void {
  if (file === undefined) return io.writeOut(text);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`--output: cannot be written, ${(error as Error).message}; name a file that can be written`);
  }
}

/** Columns without lines, as kubectl prints them. */
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

/** Without the spaces that fill the last column. */
export function formatTable(table: string): string {
  return `${table.replace(/ +$/gm, '')}\n`;
}
