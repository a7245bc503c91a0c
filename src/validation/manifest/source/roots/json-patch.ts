import { asRecord } from '../../../../contract';
import { PlainRecord } from '../../records';

/**
 * Applies the operations of a JSON patch. An operation whose path does not exist changes nothing, because kustomize
 * would refuse the whole build.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc6902
 */
export function jsonPatch(target: PlainRecord, operations: readonly unknown[]): PlainRecord {
  const copy = structuredClone(target) as Record<string, unknown>;
  for (const operation of operations) {
    const { op, path, value, from } = asRecord(operation) ?? {};
    if (typeof path !== 'string') continue;
    if (op === 'remove') {
      removeAt(copy, path);
    } else if (op === 'add' || op === 'replace') {
      setAt(copy, path, value, op === 'add');
    } else if ((op === 'copy' || op === 'move') && typeof from === 'string') {
      const moved = valueAt(copy, from);
      if (op === 'move') removeAt(copy, from);
      setAt(copy, path, moved, true);
    }
  }
  return copy;
}

type Container = Record<string, unknown> | unknown[];

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function parentOf(root: Container, pointer: string): { parent: Container; last: string } | undefined {
  const steps = stepsOf(pointer);
  const last = steps.pop();
  let parent: unknown = root;
  for (const step of steps) {
    if (!isContainer(parent) || !Object.hasOwn(parent, step)) return undefined;
    parent = (parent as Record<string, unknown>)[step];
  }
  return last === undefined || !isContainer(parent) ? undefined : { parent, last };
}

function valueAt(root: Container, pointer: string): unknown {
  const place = parentOf(root, pointer);
  return place && Object.hasOwn(place.parent, place.last)
    ? (place.parent as Record<string, unknown>)[place.last]
    : undefined;
}

function setAt(root: Container, pointer: string, value: unknown, inserts: boolean): void {
  const place = parentOf(root, pointer);
  if (!place || place.last === '__proto__') return;
  const { parent, last } = place;
  if (!Array.isArray(parent)) parent[last] = value;
  else if (last === '-') parent.push(value);
  else if (inserts) parent.splice(Number(last), 0, value);
  else parent[Number(last)] = value;
}

function removeAt(root: Container, pointer: string): void {
  const place = parentOf(root, pointer);
  if (!place || !Object.hasOwn(place.parent, place.last)) return;
  if (Array.isArray(place.parent)) place.parent.splice(Number(place.last), 1);
  else delete place.parent[place.last];
}
