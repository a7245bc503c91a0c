import { isLeafValue, Scalar, ValuesLeaf } from './merged-values';
import { asRecord, FieldPath } from '../../../contract';
import { valueAt } from '../../manifest/edit/edited-value';
import { PlainRecord } from '../../manifest/records';

/** Numbers of a loop are markers, too: larger ones would make helm repeat a template for minutes. */
const FIRST_NUMBER = 1013;
const LAST_NUMBER = 9999;

/** Texts and numbers that occur nowhere in what helm makes, so that each of them shows where it comes from. */
export class Markers {
  private count = 0;
  private number = FIRST_NUMBER;
  private readonly known: string;

  /** @param texts all that helm has made */
  public constructor(texts: Iterable<string>) {
    this.known = [...texts].join('\n');
  }

  /** A value of the same form. A condition that is true stays true. Undefined if there is none. */
  public markerFor(value: Scalar): Scalar | undefined {
    if (value === false || value === '' || value === 0) return undefined;
    if (typeof value === 'number') return this.nextNumber();
    if (value === true) return this.nextText();
    const [, digits, unit] = /^(\d+)([a-zA-Z%]{0,3})$/.exec(value) ?? [];
    if (digits === undefined) return this.nextText();
    const number = this.nextNumber();
    return number === undefined ? undefined : `${number}${unit}`;
  }

  public nextText(): string {
    for (;;) {
      const text = `kc${String(++this.count).padStart(4, '0')}x`;
      if (!this.known.includes(text)) return text;
    }
  }

  private nextNumber(): number | undefined {
    while (this.number < LAST_NUMBER) {
      // Prime to a power of two and ten, so that quotients of a template differ, too.
      const next = this.number;
      this.number += 7;
      if (!this.known.includes(String(next))) return next;
    }
    return undefined;
  }
}

/** Values with which helm puts markers in place of others. Lists are given as a whole, because helm merges none. */
export function overlayOf(merged: PlainRecord, marked: ReadonlyMap<Pick<ValuesLeaf, 'path'>, unknown>): PlainRecord {
  const overlay: Record<string, unknown> = {};
  for (const [{ path }, value] of marked) setIn(overlay, merged, path, value);
  return overlay;
}

function setIn(target: Record<string, unknown>, merged: PlainRecord, path: FieldPath, value: unknown): void {
  let parent: Record<string | number, unknown> = target;
  path.forEach((step, depth) => {
    if (depth === path.length - 1) {
      parent[step] = value;
      return;
    }
    const original = valueAt(merged, path.slice(0, depth + 1));
    const isInList = path
      .slice(0, depth + 1)
      .some((_, index) => Array.isArray(valueAt(merged, path.slice(0, index + 1))));
    if (!Object.hasOwn(parent, step)) parent[step] = isInList ? structuredClone(plain(original)) : {};
    parent = parent[step] as Record<string | number, unknown>;
  });
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Whether a value of the marked output is that of the original with the marker in place of the leaf. */
export function isMarked(original: unknown, marked: unknown, leaf: Scalar, marker: Scalar): boolean {
  if (!isLeafValue(original) || !isLeafValue(marked)) return false;
  const [before, after] = [String(original), String(marked)];
  return after.includes(String(marker)) && after.replaceAll(String(marker), String(leaf)) === before;
}

/** The scalars of a value with their paths. */
export function scalarsIn(value: unknown, path: FieldPath = []): Array<{ path: FieldPath; value: Scalar }> {
  if (Array.isArray(value)) return value.flatMap((item, index) => scalarsIn(item, [...path, index]));
  const record = asRecord(value);
  if (record) return Object.entries(record).flatMap(([key, item]) => scalarsIn(item, [...path, key]));
  return isLeafValue(value) ? [{ path, value }] : [];
}
