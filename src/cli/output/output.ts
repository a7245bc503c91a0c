import { replaceWholeFile } from './whole-file';
import { asciiText, wrapText, printableLine } from '../../model';
import type { TextOptions } from '../../validation';
import { Io, UsageError } from '../io';

/** Colors, width and characters of the terminal. A file gets none of them. */
export function textOptions(io: Io, file: string | undefined): Pick<TextOptions, 'color' | 'width' | 'ascii'> {
  return file === undefined ? { color: io.color, width: io.columns, ascii: io.ascii } : {};
}

/** Writes text for people. Long lines are wrapped in a terminal. */
export function writeText(io: Io, file: string | undefined, text: string): void {
  writeResult(io, file, wrapped(io, file, text));
}

/** Text for people as it is written: long lines are wrapped in a terminal. */
export function wrapped(io: Io, file: string | undefined, text: string): string {
  const plain = shown(io, file, text);
  return file === undefined && io.columns !== undefined ? wrapText(plain, io.columns) : plain;
}

/** Only characters that the terminal can show. */
export function shown(io: Io, file: string | undefined, text: string): string {
  return file === undefined && io.ascii ? asciiText(text) : text;
}

export function writeResult(io: Io, file: string | undefined, text: string): void {
  if (file === undefined) return io.writeOut(text);
  try {
    replaceWholeFile(file, text);
  } catch (error) {
    throw new UsageError(`--output: cannot be written, ${(error as Error).message}; name a writable file`);
  }
}

/** Writes one line to standard error. Names in the text cannot begin another line, or control the terminal. */
export function writeErrorLine(io: Pick<Io, 'writeError'>, text: string): void {
  io.writeError(`${printableLine(text)}\n`);
}
