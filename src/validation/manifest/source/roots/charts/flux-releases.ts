import { normalize } from 'path';
import { ChartRelease, CollectedValues, pathsFromRoots } from './chart-release';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, recordsOf, stringOrUndefined, stringsOf } from '../../../records';
import { postRendererFields } from '../clusters/inline-kustomization';
import { RepositoryFolders } from '../clusters/repository-folders';
import { Root } from '../root';
import { editedObjectsIn, objectsIn } from '../root-objects';

const HELM = 'helm.toolkit.fluxcd.io/';
const SOURCE = 'source.toolkit.fluxcd.io/';

/** Objects that are deployed together, each with its file. */
type Deployed = ReadonlyArray<{ readonly source: SourceFile; readonly object: PlainRecord }>;

/** Whether a file has a HelmRelease. */
export function hasHelmRelease(file: SourceFile): boolean {
  return objectsIn(file).some(isHelmRelease);
}

/**
 * How the HelmReleases of Flux deploy charts of the repository. Flux gives values in the order `valuesFiles`,
 * `valuesFrom`, `values`.
 *
 * @param roots what is deployed together, as kustomizations leave it
 * @see https://fluxcd.io/flux/components/helm/helmreleases/
 */
export function fluxChartReleases(
  roots: ReadonlyArray<Pick<Root, 'name' | 'kind' | 'sources'>>,
  charts: ReadonlySet<string>,
  files: ReadonlyMap<string, SourceFile>,
  folders: RepositoryFolders,
): ChartRelease[] {
  const deployed = roots.map((root) => ({
    root,
    objects: root.sources.flatMap((file) => editedObjectsIn(file).map((object) => ({ source: file, object }))),
  }));
  const all = deployed.flatMap(({ objects }) => objects);
  return deployed.flatMap(({ root, objects }) =>
    objects
      .filter(({ object }) => isHelmRelease(object))
      .flatMap(({ source, object }) => {
        const file = source.path;
        const chart = chartOf(object, file, [objects, all], charts, folders);
        if (chart === undefined) return [];
        const release = releaseOf(object, source, chart, [objects, all], files);
        return [
          { ...release, ...(root.kind === 'cluster' ? { cluster: root.name } : { definedIn: placeOf(root, file) }) },
        ];
      }),
  );
}

/** The folder of a kustomization tells its environment, while the release may be in its base. */
function placeOf({ kind, name }: Pick<Root, 'name' | 'kind'>, file: string): string {
  return kind === 'kustomization' && !normalize(file).startsWith(`${normalize(name)}/`) ? name : file;
}

function isHelmRelease({ apiVersion, kind }: PlainRecord): boolean {
  return kind === 'HelmRelease' && valueText(apiVersion).startsWith(HELM);
}

/** The folder of the chart if it is in this repository. */
function chartOf(
  { spec, metadata }: PlainRecord,
  file: string,
  near: readonly Deployed[],
  charts: ReadonlySet<string>,
  folders: RepositoryFolders,
): string | undefined {
  const { chart, sourceRef } = asRecord(asRecord(asRecord(spec)?.chart)?.spec) ?? {};
  const { kind, name, namespace } = asRecord(sourceRef) ?? {};
  if (typeof chart !== 'string' || kind !== 'GitRepository') return undefined;
  const source = found(near, (object) => valueText(object.apiVersion).startsWith(SOURCE) && object.kind === kind, {
    name,
    namespace: namespace ?? asRecord(metadata)?.namespace,
  });
  if (!folders.isOwn(asRecord(source?.spec)?.url)) return undefined;
  return pathsFromRoots(file, chart)
    .map((path) => path.replace(/(.)\/$/, '$1'))
    .find((path) => charts.has(path));
}

function releaseOf(
  object: PlainRecord,
  source: SourceFile,
  chart: string,
  near: readonly Deployed[],
  files: ReadonlyMap<string, SourceFile>,
): ChartRelease {
  const { path: file } = source;
  const {
    chart: template,
    releaseName,
    targetNamespace,
    valuesFrom,
    values,
    postRenderers,
  } = asRecord(object.spec) ?? {};
  const { name, namespace } = asRecord(object.metadata) ?? {};
  const fields = postRendererFields(postRenderers);
  const collected = new CollectedValues(files);
  const { valuesFiles, ignoreMissingValuesFiles } = asRecord(asRecord(template)?.spec) ?? {};
  for (const path of stringsOf(valuesFiles))
    collected.addFile(pathsFromRoots(file, path), path, ignoreMissingValuesFiles === true);
  for (const reference of recordsOf(valuesFrom)) addReferred(collected, reference, namespace, near);
  if (asRecord(values)) collected.addObject(values, file);
  const target = stringOrUndefined(targetNamespace);
  const own = stringOrUndefined(name);
  const releasedAs =
    stringOrUndefined(releaseName) ?? (own !== undefined && target !== undefined ? `${target}-${own}` : own);
  const releasedIn = target ?? stringOrUndefined(namespace);
  return {
    chart,
    values: collected.values,
    parameters: [],
    missing: collected.missing,
    definedIn: file,
    ...(releasedAs === undefined ? {} : { name: releasedAs }),
    ...(releasedIn === undefined ? {} : { namespace: releasedIn }),
    ...(fields === undefined ? {} : { postRenderer: { fields, by: { file: source, object } } }),
  };
}

function addReferred(
  collected: CollectedValues,
  { kind, name, valuesKey, targetPath, optional }: PlainRecord,
  namespace: unknown,
  near: readonly Deployed[],
): void {
  const object = found(near, (candidate) => candidate.kind === kind, { name, namespace });
  const text = object && object.sops === undefined ? dataOf(object, valueText(valuesKey ?? 'values.yaml')) : undefined;
  const shown = `${valueText(kind)} ${valueText(name)}`;
  if (text === undefined) {
    if (optional !== true) collected.missing.push(shown);
  } else if (targetPath === undefined) collected.addText(text, shown);
  else if (/^[\w-]+(\.[\w-]+)*$/.test(valueText(targetPath)))
    collected.addObject(nested(valueText(targetPath).split('.'), scalar(text)), shown);
  else collected.missing.push(shown);
}

function dataOf({ kind, data, stringData }: PlainRecord, key: string): string | undefined {
  const text = stringOrUndefined(asRecord(stringData)?.[key]) ?? stringOrUndefined(asRecord(data)?.[key]);
  return kind === 'Secret' && text !== undefined && asRecord(stringData)?.[key] === undefined
    ? Buffer.from(text, 'base64').toString('utf8')
    : text;
}

function nested([key, ...others]: readonly string[], value: unknown): unknown {
  return { [key]: others.length === 0 ? value : nested(others, value) };
}

/** Flux reads a value as `helm --set` does. */
function scalar(text: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(text) ? JSON.parse(text) : text;
}

/** The object of that name in the nearest place that has one. Two different ones are none. */
function found(
  places: readonly Deployed[],
  isOfKind: (object: PlainRecord) => boolean,
  { name, namespace }: { readonly name: unknown; readonly namespace: unknown },
): PlainRecord | undefined {
  for (const objects of places) {
    const own = objects.filter(({ object }) => {
      const metadata = asRecord(object.metadata) ?? {};
      const isNear = namespace === undefined || metadata.namespace === undefined || metadata.namespace === namespace;
      return isOfKind(object) && metadata.name === name && isNear;
    });
    const different = new Map(own.map(({ object }) => [JSON.stringify(object), object]));
    if (different.size > 0) return different.size === 1 ? [...different.values()][0] : undefined;
  }
  return undefined;
}
