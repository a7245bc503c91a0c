/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { LabelColumn } from './instance-type-table';

const WORD = 32;

/** How many words a set of so many values takes. */
export function wordsOf(values: readonly string[]): number {
  return Math.max(1, Math.ceil(values.length / WORD));
}

/** Per type the set of its codes, one after the other. */
export function valueSets(values: readonly string[], size: number, codesOf: (type: number) => readonly number[]): Uint32Array {
  const words = wordsOf(values);
  const sets = new Uint32Array(size * words);
  for (let type = 0; type < size; type++) {
    for (const code of codesOf(type)) sets[type * words + (code >>> 5)] |= 1 << (code & 31);
  }
  return sets;
}

/** Tells of a type whether it carries a value, by its code. */
export function carrierOf({ values, codes, sets }: LabelColumn): (type: number, code: number) => boolean {
  if (sets === undefined) return (type, code) => codes[type] === code;
  const words = wordsOf(values);
  if (words === 1) return (type, code) => ((sets[type] >>> code) & 1) === 1;
  return (type, code) => ((sets[type * words + (code >>> 5)] >>> (code & 31)) & 1) === 1;
}
