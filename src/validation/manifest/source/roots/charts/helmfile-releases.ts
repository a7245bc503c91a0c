import { dirname, join, normalize } from 'path';
import { ChartParameter, ChartRelease, CollectedValues } from './chart-release';
import { environmentValuesOf, filledHelmfile, hasTemplates, templateText, withReleaseName } from './helmfile-templates';
import { asRecord, FieldPath } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';
import { readDocuments } from '../../../yaml/documents';
import { SourceText } from '../../source-text';

export const HELMFILE = /(^|\/)(helmfile|helmfile\.d\/[^/]+)\.ya?ml(\.gotmpl)?$/;
/** More environments than these are not followed. */
const MOST_ENVIRONMENTS = 20;
const FILLED_IN = 'values that helmfile fills in';
const OPTIONAL_FILES: readonly unknown[] = ['Warn', 'Info', 'Debug'];

/** A release that a helmfile writes. */
export interface HelmfileRelease {
  readonly file: SourceFile;
  /** Undefined if environments make no difference. */
  readonly environment?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly chart: string;
  readonly version?: string;
  readonly collected: CollectedValues;
  readonly parameters: readonly ChartParameter[];
  /** Where the release is in the file. */
  readonly line: number;
}

/**
 * How helmfile deploys charts of the repository: releases with literal values, and releases whose values come from
 * an environment.
 */
export function helmfileReleases(
  files: readonly SourceFile[],
  charts: ReadonlySet<string>,
  filesByPath: ReadonlyMap<string, SourceFile>,
): ChartRelease[] {
  return writtenHelmfileReleases(files, filesByPath).flatMap((release): ChartRelease[] => {
    const { file, chart, collected, parameters, name, namespace } = release;
    const folder = normalize(join(dirname(file.path), chart)).replace(/(.)\/$/, '$1');
    if (!charts.has(folder)) return [];
    return [
      {
        chart: folder,
        values: collected.values,
        parameters,
        missing: collected.missing,
        definedIn: file.path,
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    ];
  });
}

/**
 * The releases of all helmfiles that are installed, in each environment.
 *
 * @see https://helmfile.readthedocs.io/en/latest/
 */
export function writtenHelmfileReleases(
  files: readonly SourceFile[],
  filesByPath: ReadonlyMap<string, SourceFile>,
): HelmfileRelease[] {
  return files
    .filter(({ path, unreadable }) => HELMFILE.test(path) && unreadable === undefined)
    .flatMap((file) =>
      environmentsOf(file, filesByPath).flatMap(({ name, values }) =>
        releasesIn({ ...file, text: filledHelmfile(file.text, name ?? 'default', values) }, name, values, filesByPath),
      ),
    );
}

interface Environment {
  /** Undefined if the helmfile uses nothing of an environment. */
  readonly name?: string;
  readonly values: PlainRecord;
}

function environmentsOf(file: SourceFile, files: ReadonlyMap<string, SourceFile>): Environment[] {
  if (!/\.(Environment|Values|StateValues)\b/.test(file.text)) return [{ values: {} }];
  const contentOf = (name: string) =>
    Object.assign(
      {},
      ...documentsIn({ ...file, text: filledHelmfile(file.text, name, {}) }).map(({ value }) =>
        asRecord(value.environments),
      ),
    ) as PlainRecord;
  const names = Object.keys(contentOf('default'));
  const others = names.filter((name) => name !== 'default');
  return (others.length === 0 ? ['default'] : others.slice(0, MOST_ENVIRONMENTS)).map((name) => ({
    name,
    values: environmentValuesOf(asRecord(contentOf(name)[name])?.values, dirname(file.path), files),
  }));
}

function releasesIn(
  file: SourceFile,
  environment: string | undefined,
  values: PlainRecord,
  files: ReadonlyMap<string, SourceFile>,
): HelmfileRelease[] {
  return documentsIn(file).flatMap(({ value, lineOf }) => {
    const templates = asRecord(value.templates) ?? {};
    return recordsOf(value.releases).flatMap((written, index) => {
      const inherited = recordsOf(written.inherit).map(
        ({ template }) => asRecord(templates[valueText(template)]) ?? {},
      );
      const release = Object.assign({}, ...inherited, written) as PlainRecord;
      if (typeof release.chart !== 'string' || !isInstalled(release, values)) return [];
      const isOptional = OPTIONAL_FILES.includes(release.missingFileHandler ?? value.missingFileHandler);
      return [
        {
          ...releaseOf(release, file.path, files, isOptional),
          file,
          line: lineOf(['releases', index]),
          ...(environment === undefined ? {} : { environment }),
        },
      ];
    });
  });
}

/** A condition on a value that is not known may be true. */
function isInstalled({ installed, condition }: PlainRecord, values: PlainRecord): boolean {
  if (installed === false || installed === 'false') return false;
  if (typeof condition !== 'string') return true;
  return condition.split('.').reduce<unknown>((inner, key) => asRecord(inner)?.[key], values) !== false;
}

function releaseOf(
  release: PlainRecord,
  path: string,
  files: ReadonlyMap<string, SourceFile>,
  isOptional: boolean,
): Omit<HelmfileRelease, 'file' | 'line'> {
  const { values, set, setString } = release;
  const [name, namespace, version] = [release.name, release.namespace, release.version].map(literal);
  const collected = new CollectedValues(files);
  for (const entry of Array.isArray(values) ? values : []) {
    if (typeof entry === 'string') {
      const file = withReleaseName(entry, name);
      const isKnown = !hasTemplates(file) && !file.endsWith('.gotmpl');
      collected.addFile(isKnown ? [join(dirname(path), file)] : [], templateText(file), isOptional && isKnown);
    } else if (asRecord(entry)) {
      if (hasTemplates(entry)) collected.missing.push(FILLED_IN);
      else collected.addObject(entry, path);
    }
  }
  const parameters = [
    ...recordsOf(set).map((one) => parameterOf(one, false)),
    ...recordsOf(setString).map((one) => parameterOf(one, true)),
  ];
  if (parameters.some(hasTemplates)) collected.missing.push(FILLED_IN);
  return {
    chart: valueText(release.chart),
    collected,
    parameters: parameters.filter((one) => one.key !== '' && !hasTemplates(one)),
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(version === undefined ? {} : { version }),
  };
}

function parameterOf({ name, value }: PlainRecord, isText: boolean): ChartParameter {
  const isKnown = name !== undefined && value !== undefined;
  return { key: isKnown ? valueText(name) : '', value: isKnown ? valueText(value) : '', isText };
}

function literal(value: unknown): string | undefined {
  const text = stringOrUndefined(value);
  return text === undefined || hasTemplates(text) ? undefined : text;
}

interface HelmfileDocument {
  readonly value: PlainRecord;
  lineOf(path: FieldPath): number;
}

/** A helmfile that is no YAML before its templates are rendered has no literal releases. */
function documentsIn(file: SourceFile): HelmfileDocument[] {
  const source = new SourceText(file);
  return readDocuments(source).documents.flatMap((document): HelmfileDocument[] => {
    const value = asRecord(document.value);
    return value ? [{ value, lineOf: (path) => source.position(document.offsetOf(path)).line }] : [];
  });
}
