import { NotFollowed, KustomizeRefusal } from '../refusal';
import { withNulls } from '../resources/read-resources';
import { clone, PlainFields, isEqual, isFields, isMissing } from '../values';

/** Copies of copies grow fast. A patch that is meant copies little. */
const LARGEST_COPY = 1_000_000;

export interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** @throws Refusal if the values are no operations */
export function operationsOf(values: readonly unknown[]): Operation[] {
  return values.map((value) => {
    if (!isFields(value))
      throw new KustomizeRefusal('json: cannot unmarshal the JSON patch: an operation is not an object');
    const { op, path, from } = value;
    if (typeof op !== 'string') throw new KustomizeRefusal('Unexpected kind: unknown');
    if (typeof path !== 'string') throw new KustomizeRefusal(`${op} operation failed to decode path: missing value`);
    if ((op === 'copy' || op === 'move') && typeof from !== 'string')
      throw new KustomizeRefusal(`${op} operation failed to decode from: missing value`);
    return { op, path, from: from as string | undefined, value: withNulls(value.value) };
  });
}

/**
 * Applies the operations to an object.
 *
 * @throws Refusal as the library of kustomize does
 * @see https://github.com/evanphx/json-patch/blob/v4.13.0/patch.go
 */
export function applyJsonPatch(object: PlainFields, operations: readonly Operation[]): PlainFields {
  const patching = new Patching(object);
  for (const operation of operations) patching.apply(operation);
  return patching.result;
}

type Container = PlainFields | unknown[];

class Patching {
  private copied = 0;

  public constructor(private document: Container) {}

  public get result(): PlainFields {
    if (!isFields(this.document)) throw new KustomizeRefusal('json: cannot unmarshal array into an object');
    return this.document;
  }

  public apply({ op, path, from, value }: Operation): void {
    switch (op) {
      case 'add':
        return this.add(path, clone(value ?? null), op);
      case 'remove':
        return void removeAt(...this.find(path, op));
      case 'replace':
        return this.replace(path, clone(value ?? null));
      case 'move': {
        const [container, key] = this.find(from!, op);
        const moved = valueIn(container, key);
        removeAt(container, key);
        return this.add(path, moved, op);
      }
      case 'copy': {
        const copied = valueIn(...this.find(from!, op));
        this.copied += sizeOf(copied);
        if (this.copied > LARGEST_COPY) throw new NotFollowed('a JSON patch that copies more than a million values');
        return this.add(path, clone(copied ?? null), op);
      }
      case 'test': {
        const actual = path === '' ? this.document : valueIn(...this.find(path, op));
        if (isMissing(actual) && isMissing(value)) return;
        if (isMissing(actual) !== isMissing(value) || !isEqual(actual, value))
          throw new KustomizeRefusal(`testing value ${path} failed: test failed`);
        return;
      }
      default:
        throw new KustomizeRefusal(`Unexpected kind: ${op}`);
    }
  }

  private add(path: string, value: unknown, op: string): void {
    const [container, key] = this.find(path, op);
    if (!Array.isArray(container)) {
      container[key] = value;
    } else if (key === '-') {
      container.push(value);
    } else {
      container.splice(indexIn(container.length + 1, key, true), 0, value);
    }
  }

  private replace(path: string, value: unknown): void {
    if (path === '') {
      if (!isFields(value) && !Array.isArray(value))
        throw new KustomizeRefusal('replace operation value must be object or array');
      this.document = value;
      return;
    }
    const [container, key] = this.find(path, 'replace');
    if (Array.isArray(container)) container[indexIn(container.length, key)] = value;
    else container[key] = value;
  }

  /** The container of a value, and its key or index there. */
  private find(path: string, op: string): [Container, string] {
    const steps = pointerSteps(path);
    const key = steps.pop();
    const missing = () =>
      new KustomizeRefusal(`${op} operation does not apply: doc is missing path: "${path}": missing value`);
    if (key === undefined) throw missing();
    let container: unknown = this.document;
    for (const step of steps) {
      if (!isFields(container) && !Array.isArray(container)) throw missing();
      const isInside = !Array.isArray(container) || indexOrNothing(container.length, step) !== undefined;
      container = isInside ? valueIn(container, step) : undefined;
    }
    if (!isFields(container) && !Array.isArray(container)) throw missing();
    return [container, key];
  }
}

/** The keys and indexes of a JSON pointer. */
export function pointerSteps(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueIn(container: Container, key: string): unknown {
  return Array.isArray(container) ? container[indexIn(container.length, key)] : container[key];
}

function removeAt(container: Container, key: string): void {
  if (Array.isArray(container)) {
    container.splice(indexIn(container.length, key), 1);
    return;
  }
  if (container[key] === undefined)
    throw new KustomizeRefusal(`Unable to remove nonexistent key: ${key}: missing value`);
  delete container[key];
}

/** A negative index counts from the end. */
function indexOrNothing(length: number, key: string): number | undefined {
  if (!/^[+-]?\d{1,15}$/.test(key)) return undefined;
  const index = Number(key);
  const counted = index < 0 ? index + length : index;
  return counted >= 0 && counted < length ? counted : undefined;
}

function indexIn(length: number, key: string, isNew = false): number {
  const index = indexOrNothing(length, key);
  if (index !== undefined) return index;
  throw new KustomizeRefusal(
    isNew && !/^[+-]?\d+$/.test(key)
      ? `value was not a proper array index: '${key}'`
      : `Unable to access invalid index: ${key}: invalid index referenced`,
  );
}

/** How many values there are in a value, up to the bound. */
function sizeOf(value: unknown): number {
  let size = 0;
  const queue = [value];
  while (queue.length > 0 && size <= LARGEST_COPY) {
    const next = queue.pop();
    size++;
    if (Array.isArray(next)) for (const item of next) queue.push(item);
    else if (isFields(next)) for (const key of Object.keys(next)) queue.push(next[key]);
  }
  return size;
}
