import { Cursor, json } from './cursor';
import { isObject, sameJson } from './equality';
import { call, Expression, literal } from './expression';

/**
 * JSON patches that turn the object of a construct into the object of the manifest: they remove defaults that the
 * construct adds, and add fields for which it has no property.
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
  const removed = Object.keys(actual)
    .filter((key) => !Object.hasOwn(wanted, key))
    .map((key) => patch('remove', pointerTo(path, key)));
  return [
    ...removed,
    ...Object.keys(wanted).flatMap((key) =>
      Object.hasOwn(actual, key)
        ? patchesBetween(actual[key], wanted[key], pointerTo(path, key))
        : [patch('add', pointerTo(path, key), wanted[key])],
    ),
  ];
}

function patch(operation: 'add' | 'remove' | 'replace', path: string, value?: unknown): Expression {
  return call('JsonPatch', operation, literal(path), ...(operation === 'remove' ? [] : [json(new Cursor(value))!]));
}

/** Appends a key to a JSON pointer, escaped as in RFC 6901. */
function pointerTo(path: string, key: string): string {
  return `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}
