import {
  asRecord,
  isLabelValue,
  isQualifiedName,
  joinedValues,
  labelValueProblemText,
  removeField,
  separatedList,
  setField,
  unsafeFix,
} from '../../../contract';
import { listText, Operator, parseIntegerLikeGo, RequirementSpec, Toleration, valueText } from '../../../model';
import { NodeSelectorTerm, PreferredTerm } from '../../../scheduling';
import { valueAt } from '../edit/edited-value';
import { FieldReader, isToken } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord } from '../records';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const LABEL_VALUE_REMEDY = 'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

export function readNodeSelector(reader: FieldReader, path: FieldPath, raw: unknown): Record<string, string> {
  const selector = reader.stringMap(path, raw);
  for (const [key, value] of Object.entries(selector)) {
    checkKey(reader, [...path, key], key);
    if (!isLabelValue(value)) rejectSelected(reader, [...path, key], value, selector);
  }
  return selector;
}

function rejectSelected(
  reader: FieldReader,
  path: FieldPath,
  value: string,
  selector: Readonly<Record<string, string>>,
): void {
  const several = joinedValues(value);
  if (several === undefined || several.length < 2) {
    reader.reject(path, 'must be a label value', value, LABEL_VALUE_REMEDY);
    return;
  }
  const key = String(path[path.length - 1]);
  const podPath = path.slice(0, -2);
  const values = `[${several.join(', ')}]`;
  const hasAffinity = asRecord(valueAt(reader.object.raw, podPath))?.affinity !== undefined;
  reader.reject(
    path,
    labelValueProblemText(several),
    value,
    `require ${key} In ${values} in nodeAffinity: a node selector has one value for a label`,
    hasAffinity
      ? undefined
      : unsafeFix(
          removeField(Object.keys(selector).length === 1 ? path.slice(0, -1) : path),
          setField([...podPath, 'affinity'], {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: several }] }],
              },
            },
          }),
        ),
  );
}

export function readRequiredTerms(
  reader: FieldReader,
  path: FieldPath,
  affinity: PlainRecord | undefined,
): NodeSelectorTerm[] {
  const requiredPath = [...path, 'requiredDuringSchedulingIgnoredDuringExecution'];
  const written = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (Array.isArray(written) || isBareTerm(written)) return rejectBareTerms(reader, requiredPath, written);
  const required = reader.record(requiredPath, written);
  if (!required) return [];
  const termsPath = [...requiredPath, 'nodeSelectorTerms'];
  const terms = reader.records(termsPath, required.nodeSelectorTerms);
  if (terms.length === 0)
    reader.reject(termsPath, 'must not be empty', required.nodeSelectorTerms, 'add a term, or remove the affinity');
  return terms.map(({ itemPath, item }) => readTerm(reader, itemPath, item));
}

export function readPreferredTerms(
  reader: FieldReader,
  path: FieldPath,
  affinity: PlainRecord | undefined,
): PreferredTerm[] {
  const preferredPath = [...path, 'preferredDuringSchedulingIgnoredDuringExecution'];
  return reader
    .records(preferredPath, affinity?.preferredDuringSchedulingIgnoredDuringExecution)
    .flatMap(({ itemPath, item }) => {
      if (item.matchExpressions !== undefined && item.preference === undefined)
        return rejectBareTerm(reader, itemPath, item, 'preference');
      const weight = readWeight(reader, [...itemPath, 'weight'], item.weight);
      const preference = reader.record([...itemPath, 'preference'], item.preference ?? {});
      return [{ weight, term: readTerm(reader, [...itemPath, 'preference'], preference ?? {}) }];
    });
}

/** Rejects a preferred term whose fields are beside its weight, or that has no weight either. */
export function rejectBareTerm(reader: FieldReader, path: FieldPath, item: PlainRecord, wrapper: string): [] {
  const { weight = 100, ...term } = item;
  reader.reject(
    path,
    `must have a weight, and ${wrapper} with the other fields in it`,
    item,
    `write weight: ${valueText(weight)} and ${wrapper}: with ${listText(Object.keys(term))} below it`,
    unsafeFix(setField(path, { weight, [wrapper]: term })),
  );
  return [];
}

function isBareTerm(written: unknown): boolean {
  const { matchExpressions, nodeSelectorTerms } = asRecord(written) ?? {};
  return matchExpressions !== undefined && nodeSelectorTerms === undefined;
}

/** Rejects required terms without the list around them. */
function rejectBareTerms(reader: FieldReader, path: FieldPath, written: unknown): [] {
  const terms: unknown = Array.isArray(written) ? written : [written];
  reader.reject(
    path,
    'must have its terms in nodeSelectorTerms',
    written,
    'write nodeSelectorTerms: with the terms in a list below it',
    unsafeFix(setField(path, { nodeSelectorTerms: terms })),
  );
  return [];
}

/** The weight of a preferred term: 1 to 100. */
export function readWeight(reader: FieldReader, path: FieldPath, value: unknown): number {
  const weight = reader.count(path, value ?? 0) ?? 1;
  if (weight < 1 || weight > 100) reader.reject(path, 'must be an integer from 1 to 100', weight, 'write 1 to 100');
  return weight;
}

function readTerm(reader: FieldReader, path: FieldPath, term: PlainRecord): NodeSelectorTerm {
  const expressions = reader.records([...path, 'matchExpressions'], term.matchExpressions);
  return {
    matchExpressions: expressions.flatMap(({ itemPath, item }) => readExpression(reader, itemPath, item) ?? []),
  };
}

function readExpression(reader: FieldReader, path: FieldPath, raw: PlainRecord): RequirementSpec | undefined {
  const key = reader.string([...path, 'key'], raw.key ?? '');
  const operator = reader.oneOf([...path, 'operator'], raw.operator ?? '', OPERATORS);
  const values = reader.strings([...path, 'values'], raw.values);
  if (key === undefined || operator === undefined) return undefined;
  checkKey(reader, [...path, 'key'], key);
  const problem = valuesProblem(operator, values);
  if (problem && reader.tokens.length === 0) rejectValues(reader, [...path, 'values'], problem, raw.values);
  return { key, operator: operator as Operator, values };
}

function rejectValues(reader: FieldReader, path: FieldPath, problem: string, raw: unknown): void {
  const values = Array.isArray(raw) ? raw.map(valueText) : [];
  const several = values.map(joinedValues);
  const index = several.findIndex((parts) => parts !== undefined);
  const list = separatedList(path, values);
  if (problem !== LABEL_VALUES || list === undefined)
    reader.reject(path, problem, raw, 'correct the values, or use another operator');
  else reader.reject([...path, index], labelValueProblemText(several[index]), values[index], list.remedy, list.fix);
}

const LABEL_VALUES = 'must be label values';

function valuesProblem(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return values.length > 0 ? `must be empty with the operator ${operator}` : undefined;
  if (operator === 'Gt' || operator === 'Lt') {
    const number = values.length === 1 ? parseIntegerLikeGo(values[0]) : undefined;
    return number === undefined || number < 0n
      ? `must be one integer of 0 or more, in quotes, with the operator ${operator}`
      : undefined;
  }
  if (values.length === 0) return `must not be empty with the operator ${operator}`;
  return values.every(isLabelValue) ? undefined : LABEL_VALUES;
}

export function readTolerations(reader: FieldReader, path: FieldPath, raw: unknown): Toleration[] {
  return reader.records(path, raw).map(({ itemPath, item }) => {
    const operator = reader.oneOf([...itemPath, 'operator'], item.operator, ['Exists', 'Equal', 'Lt', 'Gt', '']);
    const key = reader.string([...itemPath, 'key'], item.key);
    const value = reader.string([...itemPath, 'value'], item.value);
    if (!key && operator !== 'Exists')
      reader.reject(
        [...itemPath, 'operator'],
        'must be Exists if there is no key',
        item.operator,
        'write Exists, or a key',
      );
    if (value && operator === 'Exists') {
      reader.reject(
        [...itemPath, 'value'],
        'must be empty with the operator Exists',
        value,
        'remove the value, or write Equal',
      );
    }
    const effect = reader.oneOf([...itemPath, 'effect'], item.effect, [
      'NoSchedule',
      'PreferNoSchedule',
      'NoExecute',
      '',
    ]);
    return {
      key,
      operator,
      value,
      effect,
      tolerationSeconds: readTolerationSeconds(reader, [...itemPath, 'tolerationSeconds'], item),
    };
  });
}

const NODE_CONTROLLER_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Kubernetes treats a negative number of seconds as 0. */
function readTolerationSeconds(
  reader: FieldReader,
  path: FieldPath,
  { key, tolerationSeconds: seconds, effect }: PlainRecord,
): number | undefined {
  if (seconds === undefined || seconds === null) return undefined;
  if (effect !== 'NoExecute' && !isToken(effect)) {
    // The node controller evicts with these taints. With another effect, other tolerations would match nothing.
    const isOfController = NODE_CONTROLLER_TAINTS.includes(String(key));
    const remedy = isOfController ? 'write effect: NoExecute' : 'remove tolerationSeconds';
    return reader.reject(path, 'requires the effect NoExecute', seconds, remedy);
  }
  return Number.isSafeInteger(seconds) && Number(seconds) < 0 ? 0 : reader.count(path, seconds);
}

function checkKey(reader: FieldReader, path: FieldPath, key: string): void {
  if (!isQualifiedName(key)) reader.reject(path, 'must be a label key', key, 'write <name> or <dns domain>/<name>');
}
