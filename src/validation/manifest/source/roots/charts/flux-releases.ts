import { normalize } from 'path';
import { ChartRelease, CollectedValues, pathsFromRoots } from './chart-release';
import { addReferredValues, Deployed, foundObject } from './referred-values';
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
  const source = foundObject(
    near,
    (object) => valueText(object.apiVersion).startsWith(SOURCE) && object.kind === kind,
    {
      name,
      namespace: namespace ?? asRecord(metadata)?.namespace,
    },
  );
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
  for (const reference of recordsOf(valuesFrom)) addReferredValues(collected, reference, namespace, near);
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
