import { join } from 'path';
import { ChartParameter, ChartRelease, CollectedValues, pathsFromRoots } from './chart-release';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, recordsOf, stringOrUndefined, stringsOf } from '../../../records';
import { DeployedPath } from '../clusters/deployed-path';

const PLACEHOLDER = /\{\{[^{}]*\}\}/;
const REFERENCE = /^\$([\w-]+)\/(.+)$/;

/**
 * How the Applications of Argo CD deploy charts. Argo CD gives values in the order files, `values`, `parameters`.
 *
 * @param paths what Argo CD deploys
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
 */
export function argoChartReleases(
  paths: readonly DeployedPath[],
  charts: ReadonlySet<string>,
  files: ReadonlyMap<string, SourceFile>,
  hasClusters: boolean,
): ChartRelease[] {
  return paths.flatMap(({ folder, cluster, application }): ChartRelease[] => {
    if (application === undefined || !charts.has(folder)) return [];
    const { file, helm, ownReferences } = application;
    const collected = new CollectedValues(files);
    const isOptional = helm.ignoreMissingValueFiles === true;
    for (const path of stringsOf(helm.valueFiles)) {
      const [, reference, referred] = REFERENCE.exec(path) ?? [];
      if (reference === undefined)
        collected.addFile(
          path.startsWith('/') ? pathsFromRoots(file, `.${path}`) : [join(folder, path)],
          path,
          isOptional,
        );
      else collected.addFile(ownReferences.includes(reference) ? pathsFromRoots(file, referred) : [], path, isOptional);
    }
    if (asRecord(helm.valuesObject)) collected.addObject(helm.valuesObject, file);
    else if (typeof helm.values === 'string') collected.addText(helm.values, file);
    const name = known(stringOrUndefined(helm.releaseName) ?? application.name);
    const namespace = known(stringOrUndefined(helm.namespace) ?? application.namespace);
    return [
      {
        chart: folder,
        values: collected.values,
        parameters: recordsOf(helm.parameters).map(parameterOf),
        missing: [
          ...collected.missing,
          ...recordsOf(helm.fileParameters).map(({ name: parameter }) => valueText(parameter)),
        ],
        definedIn: file,
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(hasClusters ? { cluster: `cluster ${cluster}` } : {}),
      },
    ];
  });
}

/** A text without placeholders of an ApplicationSet. */
function known(text: string | undefined): string | undefined {
  return text === undefined || PLACEHOLDER.test(text) ? undefined : text;
}

/** Argo CD escapes commas, except in lists. */
function parameterOf({ name, value, forceString }: PlainRecord): ChartParameter {
  const text = valueText(value ?? '');
  return {
    key: valueText(name),
    value: text.startsWith('{') ? text : text.replace(/(?<!\\),/g, '\\,'),
    isText: forceString === true,
  };
}
