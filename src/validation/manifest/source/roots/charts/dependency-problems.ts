import { join, normalize, relative } from 'path';
import { descriptionOf, localFolder, subcharts } from './own-parts';
import { asRecord, rangeAllows } from '../../../../../contract';
import { nearestName } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { SourceFile } from '../../../model';
import { PlainRecord, stringOrUndefined } from '../../../records';
import { documentsIn } from '../root-objects';

type Files = ReadonlyMap<string, SourceFile>;
type Problem = Pick<DeploymentProblem, 'path' | 'message' | 'remedy' | 'evidence' | 'severity'>;

interface LocalChart {
  readonly folder: string;
  readonly name: unknown;
  readonly version: unknown;
}

/** Dependencies of a chart that helm leaves out or does not find, although their charts are in the repository. */
export function dependencyProblems(chart: string, files: Files): DeploymentProblem[] {
  const file = files.get(normalize(join(chart, 'Chart.yaml')));
  const description = descriptionOf(chart, files);
  if (file === undefined || !Array.isArray(description.dependencies)) return [];
  const parts = subcharts(chart, files).map((name) => localChart(join(chart, 'charts', name), files));
  return description.dependencies.flatMap((entry, index): DeploymentProblem[] => {
    const dependency = asRecord(entry);
    if (dependency === undefined || isSwitchedOff(dependency, chart, files)) return [];
    const found = missingFolder(chart, dependency, parts, files) ?? wrongVersion(chart, dependency, parts, files);
    if (found === undefined) return [];
    return [{ kind: 'blocked', file, object: description, ...found, path: ['dependencies', index, ...found.path] }];
  });
}

/** A version that the range does not allow. helm template prints nothing of the dependency, and no error. */
function wrongVersion(
  chart: string,
  { name, alias, version: range, repository }: PlainRecord,
  parts: readonly LocalChart[],
  files: Files,
): Problem | undefined {
  const folder = localFolder(chart, repository);
  if (typeof range !== 'string' || (folder === undefined && stringOrUndefined(repository))) return undefined;
  const inside = parts.filter((part) => part.name === name);
  const candidates = inside.length > 0 || folder === undefined ? inside : [localChart(folder, files)];
  if (!candidates.every(({ version }) => typeof version === 'string' && rangeAllows(range, version) === false))
    return undefined;
  const [found] = candidates;
  if (found === undefined) return undefined;
  const shown = relative(chart, found.folder);
  const called = stringOrUndefined(alias) ?? stringOrUndefined(name);
  return {
    path: ['version'],
    message: `dependency ${called} requires version ${range}, but ${shown} has version ${found.version}: helm dependency build fails${inside.length > 0 ? `, and helm template leaves out the objects of ${called}` : ''}`,
    remedy: `write version: ${found.version}, or another version in ${join(shown, 'Chart.yaml')}`,
    evidence: { dependency: called, range, version: found.version },
  };
}

/** Only folders in the chart: others may be outside of the input. */
function missingFolder(
  chart: string,
  { name, repository }: PlainRecord,
  parts: readonly LocalChart[],
  files: Files,
): Problem | undefined {
  const folder = localFolder(chart, repository);
  const isInside = folder?.startsWith(`${normalize(chart)}/`) ?? false;
  if (folder === undefined || !isInside || files.has(join(folder, 'Chart.yaml'))) return undefined;
  const folders = parts.map((part) => relative(chart, part.folder));
  const named = parts.find((part) => part.name === name);
  const meant = named ? relative(chart, named.folder) : nearestName(relative(chart, folder), folders);
  if (meant === undefined) return undefined;
  return {
    path: ['repository'],
    severity: named ? 'warning' : 'error',
    message: `names ${stringOrUndefined(repository)}, a folder that has no chart: helm dependency build fails`,
    remedy: `write file://${meant}`,
    evidence: { repository, nearest: meant },
  };
}

/** Whether the values of the chart switch the dependency off, so that it makes no difference. */
function isSwitchedOff({ condition, tags }: PlainRecord, chart: string, files: Files): boolean {
  const file = files.get(normalize(join(chart, 'values.yaml')));
  const values = file === undefined ? undefined : documentsIn(file)[0];
  const conditions = (stringOrUndefined(condition) ?? '').split(',').map((path) => path.trim().split('.'));
  const isFalse = (path: readonly string[]) =>
    path.reduce<unknown>((value, key) => asRecord(value)?.[key], values) === false;
  return conditions.some(isFalse) || (Array.isArray(tags) && tags.length > 0);
}

function localChart(folder: string, files: Files): LocalChart {
  const { name, version } = descriptionOf(folder, files);
  return { folder, name, version };
}
