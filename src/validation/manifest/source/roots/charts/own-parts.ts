import { basename, dirname, join, normalize } from 'path';
import { asRecord } from '../../../../../contract';
import { SourceFile } from '../../../model';
import { PlainRecord, recordsOf } from '../../../records';
import { documentsIn } from '../root-objects';

type Files = ReadonlyMap<string, SourceFile>;

/** Charts that name each other with `file://` would be followed without end. */
const MAX_DEPTH = 5;
const FROM_ELSEWHERE = /^(?:https?:|oci:|@|alias:)/;

/** The description of a chart. Empty if it is not in the input. */
export function descriptionOf(chart: string, files: Files): PlainRecord {
  const file = files.get(normalize(join(chart, 'Chart.yaml')));
  return (file === undefined ? undefined : asRecord(documentsIn(file)[0])) ?? {};
}

/** A chart for an index of charts says where its program comes from; a chart for one's own use rarely does. */
export function isPublished({ icon, home, sources }: PlainRecord): boolean {
  return typeof icon === 'string' && (Array.isArray(sources) || typeof home === 'string');
}

/** The folders of the charts that a chart names with `file://`. */
export function localDependencies(chart: string, files: Files): string[] {
  return recordsOf(descriptionOf(chart, files).dependencies).flatMap(({ repository }) => {
    const folder = localFolder(chart, repository);
    return folder === undefined ? [] : [folder];
  });
}

/**
 * The subcharts that are written in the repository, as folders in the chart such as `charts/web`. The others are
 * downloaded, or copied from their vendor.
 */
export function ownParts(chart: string, files: Files, inside = '', depth = 0): string[] {
  if (depth >= MAX_DEPTH) return [];
  const dependencies = recordsOf(descriptionOf(chart, files).dependencies);
  const own = new Map(subcharts(chart, files).map((name) => [name, join(chart, 'charts', name)]));
  const downloaded = new Set<string>();
  for (const { name, alias, repository } of dependencies) {
    if (typeof name !== 'string') continue;
    const shown = typeof alias === 'string' ? alias : name;
    const folder = localFolder(chart, repository) ?? own.get(name);
    if (typeof repository === 'string' && FROM_ELSEWHERE.test(repository)) downloaded.add(name).add(shown);
    else if (folder !== undefined) own.set(shown, folder);
  }
  return [...own].flatMap(([name, folder]) => {
    if (downloaded.has(name) || isPublished(descriptionOf(folder, files))) return [];
    const path = join(inside, 'charts', name);
    return [path, ...ownParts(folder, files, path, depth + 1)];
  });
}

export function subcharts(chart: string, files: Files): string[] {
  const around = normalize(join(chart, 'charts'));
  return [...files.keys()]
    .filter((path) => basename(path) === 'Chart.yaml' && dirname(dirname(path)) === around)
    .map((path) => basename(dirname(path)));
}

/** The folder that a dependency names with `file://`. */
export function localFolder(chart: string, repository: unknown): string | undefined {
  if (typeof repository !== 'string' || !repository.startsWith('file://')) return undefined;
  return normalize(join(chart, repository.slice('file://'.length))).replace(/(.)\/$/, '$1');
}
