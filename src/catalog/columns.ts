/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { LabelColumn } from './instance-type-table';

/**
 * A figure for every type. Hot path: `Float64Array.from` with a function is several times slower than a loop, and a
 * catalogue has some thirty columns.
 */
export function column(size: number, figure: (type: number) => number): Float64Array {
  const figures = new Float64Array(size);
  for (let type = 0; type < size; type++) {
    figures[type] = figure(type);
  }
  return figures;
}

/** Like `column`, for the codes of a label. */
export function codeColumn(size: number, code: (type: number) => number): Int16Array {
  const codes = new Int16Array(size);
  for (let type = 0; type < size; type++) {
    codes[type] = code(type);
  }
  return codes;
}

/** Like `column`, for sets of codes. */
export function setColumn(size: number, set: (type: number) => number): Uint32Array {
  const sets = new Uint32Array(size);
  for (let type = 0; type < size; type++) {
    sets[type] = set(type);
  }
  return sets;
}
const WORD = 32;

/** Number of 32-bit words that a set of these values needs. */
export function setWords(values: readonly string[]): number {
  return Math.max(1, Math.ceil(values.length / WORD));
}

/** The sets of codes of all types, one after the other. */
export function valueSets(
  values: readonly string[],
  size: number,
  codesOf: (type: number) => readonly number[],
): Uint32Array {
  const words = setWords(values);
  const sets = new Uint32Array(size * words);
  for (let type = 0; type < size; type++) {
    for (const code of codesOf(type)) sets[type * words + (code >>> 5)] |= 1 << (code & 31);
  }
  return sets;
}

/** Returns a function that tells whether a type has the value with a given code. */
export function carrierOf({ values, codes, sets }: LabelColumn): (type: number, code: number) => boolean {
  if (sets === undefined) return (type, code) => codes[type] === code;
  const words = setWords(values);
  if (words === 1) return (type, code) => ((sets[type] >>> code) & 1) === 1;
  return (type, code) => ((sets[type * words + (code >>> 5)] >>> (code & 31)) & 1) === 1;
}
