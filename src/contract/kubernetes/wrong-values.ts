import { FieldFix, quoteField, safeFix, setField, unsafeFix } from '../field-edit';
import { FieldPath, FieldProblem, rejected } from '../field-problem';
import { kubernetesFieldData } from './unknown-fields';
import { listText, nearestName, parseGoDuration, valueText } from '../../model';

const MAX_REPORTED = 20;
/** Larger numbers are placeholders of CDK. */
const MAX_NUMBER = 2 ** 63;

/**
 * The values of a Kubernetes object that the API server cannot decode, or that are not in the enumeration of the field:
 * a number in an environment variable, a number in quotes, a list for an object. Empty for kinds without a list of
 * fields.
 */
export function wrongKubernetesValues(apiVersion: string, kind: string, raw: unknown): FieldProblem[] {
  const { kinds, types } = kubernetesFieldData();
  const name = `${apiVersion} ${kind}`;
  if (!Object.hasOwn(kinds, name)) return [];
  const problems: FieldProblem[] = [];
  const visit = (value: unknown, type: string, path: FieldPath): void => {
    if (problems.length >= MAX_REPORTED || value === undefined || value === null || type === '') return;
    const container = /^(?:\[\]|\{\})?/.exec(type)![0];
    const fields = types[type];
    if (container === '[]' ? !Array.isArray(value) : (container === '{}' || fields) && !isObject(value)) {
      problems.push(wrongContainer(path, value, container === '[]'));
    } else if (container !== '') {
      for (const [key, item] of entriesOf(value)) visit(item, type.slice(2), [...path, key]);
    } else if (fields) {
      for (const [key, item] of entriesOf(value))
        if (Object.hasOwn(fields, key)) visit(item, fields[String(key)], [...path, key]);
    } else {
      problems.push(...scalarProblems(path, value, type));
    }
  };
  visit(raw, kinds[name], []);
  return problems;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

function entriesOf(value: unknown): Array<[string | number, unknown]> {
  return Array.isArray(value) ? value.map((item, i) => [i, item]) : Object.entries(value as object);
}

function wrongContainer(path: FieldPath, value: unknown, wantsList: boolean): FieldProblem {
  return wantsList
    ? rejected(path, 'must be a list', value, 'write items that begin with "-"')
    : rejected(path, 'must be an object', value, 'write its fields below it, indented');
}

function scalarProblems(path: FieldPath, value: unknown, type: string): FieldProblem[] {
  switch (type) {
    case 's':
      return typeof value === 'string' ? [] : [wrongText(path, value)];
    case 'i':
      return typeof value === 'number' && (Number.isInteger(value) || Math.abs(value) > MAX_NUMBER)
        ? []
        : [wrongInteger(path, value)];
    case 'b':
      return typeof value === 'boolean' ? [] : [wrongBoolean(path, value)];
    case 'is':
      return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))
        ? []
        : [wrongShare(path, value)];
    default:
      return enumProblems(path, value, kubernetesFieldData().enums[type] ?? []);
  }
}

function wrongText(path: FieldPath, value: unknown): FieldProblem {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return rejected(
    path,
    'must be a string',
    value,
    isScalar ? 'put the value in quotes' : 'write one text',
    isScalar ? safeFix(quoteField(path)) : undefined,
  );
}

function wrongInteger(path: FieldPath, value: unknown): FieldProblem {
  const meant = integerMeant(path, value);
  return meant === undefined
    ? rejected(path, 'must be an integer', value, 'write a whole number, without a unit')
    : rejected(path, 'must be an integer', value, `write ${meant}`, safeFix(setField(path, meant)));
}

/** The integer of `"60"`, or the seconds of `1m` in a field of seconds. */
function integerMeant(path: FieldPath, value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  const seconds = /Seconds$/.test(String(path.at(-1))) ? (parseGoDuration(value) ?? Number.NaN) / 1000 : undefined;
  return seconds !== undefined && Number.isInteger(seconds) ? seconds : undefined;
}

function wrongBoolean(path: FieldPath, value: unknown): FieldProblem {
  const text = valueText(value).toLowerCase();
  const meant = ['true', 'yes', 'on'].includes(text) ? true : ['false', 'no', 'off'].includes(text) ? false : undefined;
  return rejected(
    path,
    'must be true or false',
    value,
    meant === undefined ? 'write true or false, without quotes' : `write ${meant}, without quotes`,
    meant === undefined ? undefined : safeFix(setField(path, meant)),
  );
}

/** An integer or a text, such as a number of pods or a percentage of them. */
function wrongShare(path: FieldPath, value: unknown): FieldProblem {
  const meant = typeof value === 'number' && value > 0 && value < 1 ? `${Math.round(value * 100)}%` : undefined;
  const fix: FieldFix | undefined = meant === undefined ? undefined : unsafeFix(setField(path, meant));
  return rejected(
    path,
    'must be a whole number or a text, such as a percentage',
    value,
    meant === undefined ? 'write a whole number' : `write "${meant}"`,
    fix,
  );
}

function enumProblems(path: FieldPath, value: unknown, allowed: readonly string[]): FieldProblem[] {
  if (typeof value !== 'string') return [wrongText(path, value)];
  if (value === '' || allowed.includes(value) || allowed.length === 0) return [];
  const words = allowed.filter((word) => word !== '');
  const likely =
    words.find((word) => word.toLowerCase() === value.toLowerCase()) ??
    nearestName(value, words) ??
    extended(value, words);
  return [
    rejected(
      path,
      `must be one of ${listText(words, 'or')}`,
      value,
      `write ${likely ?? listText(words, 'or')}`,
      likely === undefined ? undefined : safeFix(setField(path, likely)),
    ),
  ];
}

/** The only allowed word with all words of the value, as `WaitForFirstConsumer` has those of `WaitForConsumer`. */
function extended(value: string, allowed: readonly string[]): string | undefined {
  const parts = value.match(/[A-Z][a-z]+/g) ?? [];
  const longer = allowed.filter((word) => parts.length > 1 && parts.every((part) => word.includes(part)));
  return longer.length === 1 ? longer[0] : undefined;
}
