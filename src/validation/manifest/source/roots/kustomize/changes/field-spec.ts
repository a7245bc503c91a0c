import { KustomizeRefusal } from '../refusal';
import { Resource } from '../resources/resource';
import { idText, isSelectedKind, KindSelector } from '../resources/resource-id';
import { PlainFields, isFields, isMissing, isScalar, newFields, textOf } from '../values';

/** A place in objects of some kinds. */
export interface FieldSpec extends KindSelector {
  /** Steps with slashes between them. Lists on the way have no step. */
  readonly path: string;
  /** Whether a missing path is created. */
  readonly create?: boolean;
}

/** A mapping or a list, with the key or the index of the value that is set. */
type SetValue = (holder: PlainFields, key: string) => void;

/** What is created at the end of a missing path. */
type Created = 'mapping' | 'scalar' | 'nothing';

/**
 * Sets the values at the end of a path.
 *
 * @throws Refusal if the path leads into a scalar
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/filters/fieldspec/fieldspec.go
 */
export function setFields(resource: Resource, spec: FieldSpec, created: Created, set: SetValue): void {
  const { fields } = resource;
  if (!fields || !isSelectedKind(resource.kindInfo, spec)) return;
  const walk = new FieldWalk(spec, created, set);
  try {
    walk.mapping(fields, splitPath(spec.path, '/'));
  } catch (error) {
    if (!(error instanceof KustomizeRefusal)) throw error;
    throw new KustomizeRefusal(`considering field '${spec.path}' of object ${idText(resource.id)}: ${error.message}`);
  }
}

class FieldWalk {
  public constructor(
    private readonly spec: FieldSpec,
    private readonly created: Created,
    private readonly set: SetValue,
  ) {}

  public mapping(fields: PlainFields, [step, ...rest]: readonly string[]): void {
    const isList = step.endsWith('[]');
    const name = isList ? step.slice(0, -2) : step;
    if (name === '') throw new KustomizeRefusal('cannot set or create an empty field name');
    const creates = this.spec.create === true && this.created !== 'nothing' && !isList;
    if (fields[name] === undefined) {
      if (!creates) return;
      fields[name] = this.newValue(rest.length === 0);
    } else if (fields[name] === null) {
      if (isList) fields[name] = [];
      else if (creates) fields[name] = this.newValue(rest.length === 0);
    }
    this.value(fields, name, rest);
  }

  private newValue(isLast: boolean): unknown {
    return isLast && this.created === 'scalar' ? '' : newFields();
  }

  private value(holder: PlainFields, key: string, steps: readonly string[]): void {
    const value = holder[key];
    if (steps.length === 0) this.set(holder, key);
    else if (isMissing(value)) return;
    else if (Array.isArray(value)) value.forEach((_, index) => this.value(value as never, String(index), steps));
    else if (isFields(value)) this.mapping(value, steps);
    else throw new KustomizeRefusal('expected sequence or mapping node');
  }
}

/** Splits a path at slashes or dots, except those after a backslash. A first separator is ignored. */
export function splitPath(path: string, separator: string): string[] {
  const parts = path.split(separator);
  if (parts.length > 1 && parts[0] === '') parts.shift();
  const steps = [parts[0]];
  for (const part of parts.slice(1)) {
    const last = steps[steps.length - 1];
    if (last.endsWith('\\')) steps[steps.length - 1] = `${last.slice(0, -1)}${separator}${part}`;
    else steps.push(part);
  }
  return steps;
}

/** Sets an entry of a mapping, such as a label. */
export function setEntry(name: string, value: string): SetValue {
  return (holder, key) => {
    const mapping = holder[key];
    if (mapping === null) return;
    if (!isFields(mapping)) throw wrongKind('MappingNode', mapping);
    mapping[name] = value;
  };
}

/** Sets a scalar, from its text before. */
export function setScalar(change: (before: string) => unknown): SetValue {
  return (holder, key) => {
    const value = holder[key];
    if (!isScalar(value) && value !== null) throw wrongKind('ScalarNode', value);
    holder[key] = change(textOf(value));
  };
}

function wrongKind(expected: string, value: unknown): KustomizeRefusal {
  const kind = Array.isArray(value) ? 'SequenceNode' : isFields(value) ? 'MappingNode' : 'ScalarNode';
  return new KustomizeRefusal(`wrong node kind: expected ${expected} but got ${kind}`);
}
