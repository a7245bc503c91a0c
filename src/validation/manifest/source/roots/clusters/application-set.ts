import { basename, dirname } from 'path';
import { MatchedPath, RepositoryFolders } from './repository-folders';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { PlainRecord, recordsOf, stringMapOf, stringsOf } from '../../../records';
import { documentsIn } from '../root-objects';

/** An ApplicationSet that makes more is not followed. Argo CD itself reconciles some thousands per controller. */
const MOST_APPLICATIONS = 2000;

/** The values of one application that an ApplicationSet makes. */
type Parameters = Readonly<Record<string, string>>;

/** The fields of an Application that an ApplicationSet makes. */
export interface MadeApplication {
  readonly metadata: unknown;
  readonly spec: unknown;
}

/**
 * The applications that an ApplicationSet makes. Placeholders whose values are not in the input stay.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators/
 */
export function madeApplications(
  { generators, template }: PlainRecord,
  file: string,
  folders: RepositoryFolders,
): MadeApplication[] | 'too many' {
  const { spec, metadata } = asRecord(template) ?? {};
  if (!asRecord(spec)) return [];
  const rows = recordsOf(generators).flatMap((generator) => selectedRows(generator, file, folders));
  if (rows.length > MOST_APPLICATIONS) return 'too many';
  return rows.map((parameters) => ({ metadata: filled(metadata, parameters), spec: filled(spec, parameters) }));
}

/** The rows of a generator that its selector selects. A value that is not in the input may be selected. */
function selectedRows(generator: PlainRecord, file: string, folders: RepositoryFolders): Parameters[] {
  const { matchLabels, matchExpressions } = asRecord(generator.selector) ?? {};
  return parametersOf(generator, file, folders).filter((row) => {
    const isEqual = ([key, value]: [string, string]) => row[key] === undefined || row[key] === value;
    return (
      Object.entries(stringMapOf(matchLabels)).every(isEqual) &&
      recordsOf(matchExpressions).every(({ key, operator, values }) => {
        const value = row[valueText(key)];
        if (value === undefined) return true;
        if (operator === 'In') return stringsOf(values).includes(value);
        return operator !== 'NotIn' || !stringsOf(values).includes(value);
      })
    );
  });
}

/** A generator whose values are not in the input makes one application, whose placeholders stay. */
function parametersOf(generator: PlainRecord, file: string, folders: RepositoryFolders): Parameters[] {
  const [list, git, matrix, merge] = ['list', 'git', 'matrix', 'merge'].map((name) => asRecord(generator[name]));
  if (list?.elements !== undefined) return recordsOf(list.elements).map((element) => flat(element, ''));
  if (git && (git.directories !== undefined || git.files !== undefined)) {
    if (!folders.isOwn(git.repoURL)) return [{}];
    const rows =
      git.directories === undefined
        ? fileParameters(git.files, file, folders)
        : directoryParameters(git.directories, file, folders);
    return rows.map((row) => ({ ...row, ...flat(asRecord(filled(git.values, row)) ?? {}, 'values.') }));
  }
  const parts = recordsOf((matrix ?? merge)?.generators).map((part) => selectedRows(part, file, folders));
  if (matrix) return combined(parts);
  if (merge) return mergedRows(parts, stringsOf(merge.mergeKeys));
  return [{}];
}

function combined(parts: readonly Parameters[][]): Parameters[] {
  const count = parts.reduce((product, part) => product * part.length, 1);
  if (count > MOST_APPLICATIONS) return Array<Parameters>(MOST_APPLICATIONS + 1).fill({});
  return parts.reduce<Parameters[]>(
    (rows, part) => rows.flatMap((row) => part.map((more) => ({ ...row, ...more }))),
    [{}],
  );
}

/** The rows of the first generator, with the values of those of the others that have the same keys. */
function mergedRows([base = [], ...others]: readonly Parameters[][], keys: readonly string[]): Parameters[] {
  const keyOf = (row: Parameters) => JSON.stringify(keys.map((key) => row[key]));
  const overrides = others.map((rows) => new Map(rows.map((row) => [keyOf(row), row])));
  return base.map((row) => Object.assign({}, row, ...overrides.map((rows) => rows.get(keyOf(row)) ?? {})));
}

function directoryParameters(directories: unknown, file: string, folders: RepositoryFolders): Parameters[] {
  return included(directories, (pattern) => folders.match(file, pattern)).map(({ path }) => pathParameters(path));
}

/** The values in a file of YAML or JSON. A list in it makes an application of each item. */
function fileParameters(files: unknown, file: string, folders: RepositoryFolders): Parameters[] {
  return included(files, (pattern) => folders.matchFiles(file, pattern)).flatMap(({ found, path }) => {
    const source = folders.file(found);
    const documents = source ? documentsIn(source) : [];
    return documents
      .flatMap((document) => (Array.isArray(document) ? recordsOf(document) : recordsOf([document])))
      .map((record) => ({ ...flat(record, ''), ...pathParameters(dirname(path)), 'path.filename': basename(path) }));
  });
}

function included(entries: unknown, match: (pattern: string) => readonly MatchedPath[]): MatchedPath[] {
  const matches = (isExcluded: boolean) =>
    recordsOf(entries)
      .filter(({ exclude }) => (exclude === true) === isExcluded)
      .flatMap(({ path }) => (typeof path === 'string' ? match(path) : []));
  const excluded = new Set(matches(true).map(({ found }) => found));
  const kept = matches(false).filter(({ found }) => !excluded.has(found));
  return [...new Map(kept.map((one) => [one.found, one])).values()];
}

function pathParameters(path: string): Parameters {
  const name = basename(path);
  const segments = path.split('/').flatMap(
    (segment, index): Array<[string, string]> => [
      [`path[${index}]`, segment],
      [`index .path.segments ${index}`, segment],
    ],
  );
  return {
    path,
    'path.path': path,
    'path.basename': name,
    'path.basenameNormalized': name.toLowerCase().replace(/[^a-z0-9.-]/g, '-'),
    ...Object.fromEntries(segments),
  };
}

/** The values of an element by their path: `values.region` for a nested one. */
function flat(element: PlainRecord, prefix: string): Parameters {
  return Object.fromEntries(
    Object.entries(element).flatMap(([key, value]): Array<[string, string]> => {
      const inner = asRecord(value);
      return inner ? Object.entries(flat(inner, `${prefix}${key}.`)) : [[`${prefix}${key}`, valueText(value)]];
    }),
  );
}

const VALUE = /\{\{-?\s{0,9}(index \.path\.segments \d{1,3}|\.?[\w.[\]-]{1,200}?)\s{0,9}-?\}\}/g;

/** Replaces placeholders: `{{name}}`, and `{{ .name }}` of Go templates. */
function filled(value: unknown, parameters: Parameters): unknown {
  if (typeof value === 'string') {
    return value.replace(VALUE, (whole, expression: string) => {
      const name = expression.replace(/^\./, '');
      return Object.hasOwn(parameters, name) ? parameters[name] : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, parameters));
  const record = asRecord(value);
  return record
    ? Object.fromEntries(Object.entries(record).map(([key, inner]) => [key, filled(inner, parameters)]))
    : value;
}
