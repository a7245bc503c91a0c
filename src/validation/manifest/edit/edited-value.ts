import { isDeepStrictEqual } from 'node:util';
import { asRecord, FieldEdit, FieldPath } from '../../../contract';

/** Undefined if the path does not exist. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((parent, step) => {
    if (Array.isArray(parent)) return typeof step === 'number' ? parent[step] : undefined;
    const record = asRecord(parent);
    return record && Object.hasOwn(record, step) ? record[step] : undefined;
  }, value);
}

/** A copy of the value with the edits; undefined if one of them does not apply to it. */
export function editedValue(value: unknown, edits: readonly FieldEdit[]): unknown {
  const copy = copyOf(value);
  // A renamed field is found by its old name only before.
  const isRename = ({ operation }: FieldEdit) => operation === 'rename';
  const inOrder = [...edits.filter((edit) => !isRename(edit)), ...edits.filter(isRename)];
  if (!inOrder.every((edit) => apply(copy, edit))) return undefined;
  const removesItems = edits.some(({ operation, path }) => operation === 'remove' && typeof path.at(-1) === 'number');
  return removesItems ? withoutHoles(copy) : copy;
}

/** Items are removed at the end, so that the indices of all edits are those of the unchanged list. */
function withoutHoles(value: unknown): unknown {
  // `filter` skips holes, but no undefined values.
  if (Array.isArray(value)) return value.filter(() => true).map(withoutHoles);
  const record = asRecord(value);
  for (const [key, item] of Object.entries(record ?? {})) (record as Record<string, unknown>)[key] = withoutHoles(item);
  return value;
}

/** Whether two values are the same JSON, in any order of the keys. */
export function isSameValue(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(copyOf(left), copyOf(right));
}

/** Objects of the copy have no prototype, so that keys such as `__proto__` have no effect. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  const record = asRecord(value);
  if (!record) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(record)) copy[key] = copyOf(item);
  return copy;
}

function apply(root: unknown, edit: FieldEdit): boolean {
  switch (edit.operation) {
    case 'set':
      return set(root, edit.path, edit.value);
    case 'append': {
      const list = valueAt(root, edit.path) ?? [];
      return Array.isArray(list) && set(root, edit.path, [...list, edit.value]);
    }
    case 'rename': {
      const [parent, name] = parentAt(root, edit.path);
      if (!parent || !(name in parent) || edit.to in parent) return false;
      parent[edit.to] = parent[name];
      return delete parent[name];
    }
    case 'remove': {
      const [list, index] = [valueAt(root, edit.path.slice(0, -1)), edit.path.at(-1)];
      if (Array.isArray(list) && typeof index === 'number') return index in list && delete list[index];
      const [parent, name] = parentAt(root, edit.path);
      return parent !== undefined && name in parent && delete parent[name];
    }
    case 'quote':
      return false;
  }
}

function set(root: unknown, path: FieldPath, value: unknown): boolean {
  const [parent, name] = parentAt(root, path, true);
  if (parent) {
    parent[name] = value;
    return true;
  }
  const [step] = path.slice(-1);
  const list = valueAt(root, path.slice(0, -1));
  if (!Array.isArray(list) || typeof step !== 'number' || step >= list.length) return false;
  list[step] = value;
  return true;
}

/** The object around a field. */
function parentAt(root: unknown, path: FieldPath, isCreated = false): [Record<string, unknown> | undefined, string] {
  const name = path[path.length - 1];
  if (typeof name !== 'string') return [undefined, ''];
  const parentPath = path.slice(0, -1);
  if (isCreated && (valueAt(root, parentPath) ?? null) === null && !set(root, parentPath, Object.create(null)))
    return [undefined, ''];
  return [asRecord(valueAt(root, parentPath)) as Record<string, unknown> | undefined, name];
}
