import { splitPath } from './field-spec';
import { NotFollowed, KustomizeRefusal } from '../refusal';
import { regularExpression } from './selector';
import { PlainFields, isFields, isMissing, isScalar, newFields, textOf } from '../values';

/** Where a value is: its mapping or list, and the key or index there. */
export interface ValuePlace {
  readonly holder: PlainFields;
  readonly key: string;
}

/** Splits a path at dots, except in brackets and after a backslash. */
export function pathSteps(path: string): string[] {
  const steps: string[] = [];
  const parts = splitPath(path, '.');
  for (let index = 0; index < parts.length; index++) {
    if (!parts[index].startsWith('[') || parts[index].endsWith(']')) {
      steps.push(parts[index]);
      continue;
    }
    let bracketed = parts[index];
    while (index < parts.length - 1 && !bracketed.endsWith(']')) bracketed += `.${parts[++index]}`;
    steps.push(bracketed.includes('=') ? bracketed : bracketed.replace(/^[[\]]+|[[\]]+$/g, ''));
  }
  return steps;
}

/**
 * The value at a path; undefined if there is none.
 *
 * @throws Refusal if the path leads into a value of another kind
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/kyaml/yaml/fns.go
 */
export function fieldValue(fields: PlainFields, steps: readonly string[]): unknown {
  let value: unknown = fields;
  for (const step of steps.map((each) => each.trim()).filter((each) => each !== '')) {
    if (isMissing(value)) return undefined;
    value = valueOfStep(value, step);
  }
  return value;
}

function valueOfStep(value: unknown, step: string): unknown {
  if (step === '*') throw new KustomizeRefusal('wildcard is not supported in PathGetter');
  const isIndex = /^[+-]?\d+$/.test(step) || step === '-';
  if (!isIndex && !isListStep(step)) {
    if (!isFields(value)) throw new KustomizeRefusal(`wrong node kind: expected MappingNode at ${step}`);
    return value[step];
  }
  if (!Array.isArray(value)) throw new KustomizeRefusal(`wrong node kind: expected SequenceNode at ${step}`);
  if (step === '-') return value[value.length - 1];
  if (isIndex) {
    if (Number(step) < 0) throw new KustomizeRefusal(`array index ${step} cannot be negative`);
    return value[Number(step)];
  }
  const [name, wanted] = nameAndValue(step);
  return value.find((item) =>
    name === '' ? isScalar(item) && textOf(item) === wanted : isFields(item) && textOf(item[name]) === wanted,
  );
}

function isListStep(step: string): boolean {
  return step.startsWith('[') && step.endsWith(']');
}

function nameAndValue(step: string): [name: string, value: string] {
  const text = step.slice(1, -1);
  const equals = text.indexOf('=');
  if (equals < 0)
    throw new KustomizeRefusal('list path element must contain fieldName=fieldValue for element to match');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/**
 * The places that a path with wildcards and list steps leads to.
 *
 * @param created what is created at the end of a missing path; undefined to create nothing
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/kyaml/yaml/match.go
 */
export function placesAt(
  fields: PlainFields,
  steps: readonly string[],
  created?: 'scalar' | 'mapping' | 'list',
): ValuePlace[] {
  const root = newFields({ root: fields });
  return placesFrom({ holder: root, key: 'root' }, steps, created);
}

type Created = Parameters<typeof placesAt>[2];

function placesFrom(place: ValuePlace, steps: readonly string[], created: Created): ValuePlace[] {
  if (steps.length === 0) return [place];
  const [step, ...rest] = steps;
  const value = place.holder[place.key];
  if (/^\+?\d+$/.test(step)) return placesOfIndex(value, Number(step), rest, created);
  if (isListStep(step)) return placesOfItems(value, step, rest, created);
  if (step === '*') {
    if (!Array.isArray(value)) throw new KustomizeRefusal('wrong node kind: expected SequenceNode');
    return value.flatMap((_, index) => placesFrom({ holder: value as never, key: String(index) }, rest, created));
  }
  return placesOfField(value, step, rest, created);
}

function placesOfField(value: unknown, name: string, rest: readonly string[], created: Created): ValuePlace[] {
  if (isMissing(value)) return [];
  if (!isFields(value)) throw new KustomizeRefusal('wrong node kind: expected MappingNode');
  if (value[name] === undefined) {
    if (!created) return [];
    value[name] = newValue(rest[0], created);
  }
  if (rest.length > 0 && isScalar(value[name])) throw new NotFollowed('a replacement inside of a text');
  return placesFrom({ holder: value, key: name }, rest, created);
}

function newValue(next: string | undefined, created: Created): unknown {
  if (next === undefined) return created === 'scalar' ? '' : created === 'list' ? [] : newFields();
  return isListStep(next) || /^\+?\d+$/.test(next) ? [] : newFields();
}

function placesOfIndex(value: unknown, index: number, rest: readonly string[], created: Created): ValuePlace[] {
  if (!Array.isArray(value)) throw new KustomizeRefusal('wrong node kind: expected SequenceNode');
  if (index === value.length && created) value.push(newValue(rest[0], created));
  if (index >= value.length)
    throw new KustomizeRefusal(`index ${index} specified but only ${value.length} elements found`);
  return placesFrom({ holder: value as never, key: String(index) }, rest, created);
}

function placesOfItems(value: unknown, step: string, rest: readonly string[], created: Created): ValuePlace[] {
  const [name, pattern] = nameAndValue(step);
  if (!Array.isArray(value)) throw new KustomizeRefusal('wrong node kind: expected SequenceNode');
  const isMatch = regularExpression(pattern);
  const found = () =>
    value.flatMap((item, index) => {
      const text = name === '' ? item : isFields(item) ? item[name] : undefined;
      if (text === undefined || !isMatch(textOf(text))) return [];
      const place = { holder: value as never, key: String(index) };
      return name === '' ? [place] : placesFrom(place, rest, created);
    });
  const places = found();
  if (places.length > 0 || !created) return places;
  value.push(name === '' ? pattern : newFields({ [name]: pattern }));
  return found();
}
