import { Cursor, json } from './cursor';
import { isObject, sameJson } from './equality';
import { call, Expression, literal } from './expression';

/**
 * Patches that make one JSON object of another: what a construct adds to what it was given, and what it has no property
 * for.
 */
export function patchesBetween(actual: unknown, wanted: unknown, path = ''): Expression[] {
  if (sameJson(actual, wanted)) return [];
  if (isObject(actual) && isObject(wanted)) return patchesOfObject(actual, wanted, path);
  if (Array.isArray(actual) && Array.isArray(wanted) && actual.length === wanted.length) {
    return actual.flatMap((item, i) => patchesBetween(item, wanted[i], `${path}/${i}`));
  }
  return [patch('replace', path, wanted)];
}

function patchesOfObject(actual: Record<string, unknown>, wanted: Record<string, unknown>, path: string): Expression[] {
  const removed = Object.keys(actual).filter((key) => !Object.hasOwn(wanted, key)).map((key) => patch('remove', step(path, key)));
  return [...removed, ...Object.keys(wanted).flatMap((key) => Object.hasOwn(actual, key) ? patchesBetween(actual[key], wanted[key], step(path, key))
    : [patch('add', step(path, key), wanted[key])])];
}

function patch(operation: 'add' | 'remove' | 'replace', path: string, value?: unknown): Expression {
  return call('JsonPatch', operation, literal(path), ...operation === 'remove' ? [] : [json(new Cursor(value))!]);
}

/** As RFC 6901 writes a key. */
function step(path: string, key: string): string {
  return `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}
