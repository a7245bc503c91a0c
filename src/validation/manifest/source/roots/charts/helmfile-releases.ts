import { dirname, join, normalize } from 'path';
import { ChartRelease, CollectedValues } from './chart-release';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';
import { parseDocuments } from '../kustomization';

const HELMFILE = /(^|\/)helmfile(\.d\/[^/]+)?\.ya?ml$/;
const ENVIRONMENT_NAME = /\{\{-?\s{0,9}\.Environment\.Name\s{0,9}-?\}\}/g;
const TEMPLATE = /\{\{/;
/** More environments than these are not followed. */
const MOST_ENVIRONMENTS = 20;

/**
 * How helmfile deploys charts of the repository: releases with literal values, and those that differ by the name of the
 * environment only.
 *
 * @see https://helmfile.readthedocs.io/en/latest/
 */
export function helmfileReleases(
  files: readonly SourceFile[],
  charts: ReadonlySet<string>,
  filesByPath: ReadonlyMap<string, SourceFile>,
): ChartRelease[] {
  return files
    .filter(({ path, unreadable }) => HELMFILE.test(path) && unreadable === undefined)
    .flatMap(({ path, text }) =>
      environmentsOf(text).flatMap((environment) => {
        const filled = environment === undefined ? text : text.replace(ENVIRONMENT_NAME, environment);
        return recordsIn(filled)
          .flatMap(({ releases }) => recordsOf(releases))
          .flatMap((release) => releaseOf(release, path, charts, filesByPath));
      }),
    );
}

/** The environments that a helmfile names. Undefined if they make no difference. */
function environmentsOf(text: string): Array<string | undefined> {
  if (text.search(ENVIRONMENT_NAME) < 0) return [undefined];
  const names = recordsIn(text.replace(ENVIRONMENT_NAME, 'default')).flatMap(({ environments }) =>
    Object.keys(asRecord(environments) ?? {}),
  );
  const others = [...new Set(names)].filter((name) => name !== 'default');
  return others.length === 0 ? ['default'] : others.slice(0, MOST_ENVIRONMENTS);
}

/** A helmfile that is no YAML before its templates are rendered has no literal releases. */
function recordsIn(text: string): PlainRecord[] {
  return parseDocuments(text)
    .map(asRecord)
    .filter((record) => record !== undefined);
}

function releaseOf(
  { name, namespace, chart, values, set, installed }: PlainRecord,
  path: string,
  charts: ReadonlySet<string>,
  files: ReadonlyMap<string, SourceFile>,
): ChartRelease[] {
  const folder = normalize(join(dirname(path), valueText(chart))).replace(/(.)\/$/, '$1');
  if (typeof chart !== 'string' || installed === false || !charts.has(folder)) return [];
  const collected = new CollectedValues(files);
  for (const entry of Array.isArray(values) ? values : []) {
    if (typeof entry === 'string') collected.addFile(isLiteral(entry) ? [join(dirname(path), entry)] : [], entry);
    else if (asRecord(entry)) collected.addObject(entry, path);
  }
  const parameters = recordsOf(set).filter((entry) => entry.name !== undefined && entry.value !== undefined);
  const releasedAs = literal(name);
  const releasedIn = literal(namespace);
  return [
    {
      chart: folder,
      values: collected.values,
      parameters: parameters.map((entry) => ({
        key: valueText(entry.name),
        value: valueText(entry.value),
        isText: false,
      })),
      missing: collected.missing,
      definedIn: path,
      ...(releasedAs === undefined ? {} : { name: releasedAs }),
      ...(releasedIn === undefined ? {} : { namespace: releasedIn }),
    },
  ];
}

function literal(value: unknown): string | undefined {
  const text = stringOrUndefined(value);
  return text === undefined || TEMPLATE.test(text) ? undefined : text;
}

/** Templates of values are rendered by helmfile only. */
function isLiteral(path: string): boolean {
  return !TEMPLATE.test(path) && !path.endsWith('.gotmpl');
}
