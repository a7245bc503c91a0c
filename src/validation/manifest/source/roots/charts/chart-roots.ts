import { basename, dirname, normalize, relative } from 'path';
import { argoChartReleases } from './argo-releases';
import { ChartRelease, filesByPath, NamedRelease } from './chart-release';
import { dependencyProblems } from './dependency-problems';
import { environmentValues, hasDefaultsOfItsOwn } from './environment-values';
import { fluxChartReleases, hasHelmRelease } from './flux-releases';
import { helmfileReleases } from './helmfile-releases';
import { descriptionOf, isPublished, localDependencies, ownParts } from './own-parts';
import { terraformReleases } from './terraform-releases';
import { listText, shortListText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { stringOrUndefined } from '../../../records';
import { ClusterRoots } from '../clusters/cluster-roots';
import { ARCHIVE, environmentOf } from '../environments';
import { Kustomizations } from '../kustomization';
import { Root } from '../root';

/** More releases of one chart than these are not rendered. */
const MOST_RELEASES = 20;
/** Names that helm accepts. */
const RELEASE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_RELEASE_NAME = 53;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export interface ChartOptions {
  readonly clusters: ClusterRoots;
  readonly kustomizations: Kustomizations;
  /** Whether the user has given the values, so that those of environments are not used. */
  readonly hasOwnValues: boolean;
  /** The files with what Terraform says. */
  readonly traces: readonly SourceFile[];
  /** The folder that all files are in. */
  readonly around: string;
}

/** The folders of charts. The charts that a chart contains are a part of it. */
export function chartFolders(files: readonly SourceFile[]): string[] {
  const folders = files
    .filter(({ path, isFound }) => isFound && /(^|\/)Chart\.yaml$/.test(path))
    .map(({ path }) => dirname(path))
    .sort();
  return folders.filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));
}

/**
 * A root for each way to deploy a chart: the releases of Argo CD, Flux, helmfile and Terraform, otherwise its
 * environments, otherwise its default values. Library charts deploy nothing. Nobody relies on a chart that no release
 * deploys, if releases deploy the charts beside it.
 */
export function chartRoots(charts: readonly string[], files: readonly SourceFile[], options: ChartOptions): Root[] {
  if (charts.length === 0) return [];
  const byPath = filesByPath(files);
  const deployed = deployedReleases(charts, files, byPath, options);
  const used = usedCharts(deployed, byPath);
  return charts.flatMap((chart): Root[] => {
    const description = descriptionOf(chart, byPath);
    const { name, type } = description;
    if (type === 'library') return [];
    const own = deployed.filter((release) => normalize(release.chart) === normalize(chart));
    const isOfOthers = isPublished(description) || (deployed.length > 0 && !used.has(normalize(chart)));
    const marks = { ownParts: ownParts(chart, byPath), ...(isOfOthers ? { isOfOthers } : {}) };
    const problems = isOfOthers ? [] : dependencyProblems(chart, byPath);
    const marked = (roots: readonly Root[]) =>
      roots.map((root, index) => ({
        ...withMarks(root, marks),
        ...(index === 0 && problems.length > 0 ? { deploymentProblems: problems } : {}),
      }));
    const chartName = stringOrUndefined(name) ?? basename(chart);
    if (own.length > 0) return marked(releaseRoots(chart, chartName, own, options.around));
    const outer = charts.find((other) => localDependencies(other, byPath).includes(normalize(chart)));
    const environments = options.hasOwnValues ? [] : environmentValues(chart, files);
    const roots = environments.map(({ files: values, own: file }): Root => {
      const layers = values.map(({ path, text }) => ({ text, from: path }));
      return rootOf(file.path, chart, named({ chart, values: layers, parameters: [], missing: [] }, chartName), [
        `rendered by helm with ${listText(values.map(({ path }) => relative(chart, path)))}`,
      ]);
    });
    if (!hasDefaultsOfItsOwn(chart, environments)) return marked(roots);
    const release = named({ chart, values: [], parameters: [], missing: [] }, chartName);
    const root = rootOf(chart, chart, release, ['rendered by helm with its default values']);
    return marked([outer === undefined ? root : withMarks(root, { partOf: outer }), ...roots]);
  });
}

/** The charts that a release deploys, as a part of another one too. */
function usedCharts(deployed: readonly ChartRelease[], byPath: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  const used = new Set(deployed.map(({ chart }) => normalize(chart)));
  // A set also visits the charts that are added in the loop.
  for (const chart of used) for (const local of localDependencies(chart, byPath)) used.add(local);
  return used;
}

function withMarks(root: Root, marks: Partial<NamedRelease>): Root {
  return root.release ? { ...root, release: { ...root.release, ...marks } } : root;
}

function deployedReleases(
  charts: readonly string[],
  files: readonly SourceFile[],
  byPath: ReadonlyMap<string, SourceFile>,
  { clusters, kustomizations, traces }: ChartOptions,
): ChartRelease[] {
  const known = new Set(charts.map(normalize));
  const { argo, repository, roots } = clusters;
  const all = [
    ...argoChartReleases(argo, known, byPath, roots.length > 0),
    ...fluxChartReleases(rootsWithHelmReleases(files, clusters, kustomizations), known, byPath, repository),
    ...helmfileReleases(files, known, byPath),
    ...terraformReleases(traces, known),
  ];
  return [...new Map(all.map((release) => [JSON.stringify(release), release])).values()];
}

function rootsWithHelmReleases(
  files: readonly SourceFile[],
  { roots, files: deployed }: ClusterRoots,
  kustomizations: Kustomizations,
): Array<Pick<Root, 'name' | 'kind' | 'sources'>> {
  const built = kustomizations.rootFolders
    .filter((folder) => kustomizations.filesReachedBy(folder).some(hasHelmRelease))
    .map((folder) => ({ name: folder, kind: 'kustomization' as const, sources: kustomizations.build(folder).sources }));
  const { usedFiles } = kustomizations;
  const isPlain = ({ path }: SourceFile) => !usedFiles.has(normalize(path)) && !deployed.has(normalize(path));
  return [...roots, ...built, { name: '', kind: 'files', sources: files.filter(isPlain) }];
}

/** Names tell the releases of a chart apart: by the name of the release, else by its namespace, cluster or file. */
function releaseRoots(chart: string, chartName: string, releases: readonly ChartRelease[], around: string): Root[] {
  const all = releases.slice(0, MOST_RELEASES).map((release) => named(release, chartName));
  const labels: ReadonlyArray<(release: NamedRelease) => string> = [
    () => '',
    ({ name }) => ` as ${name}`,
    ({ name, namespace = 'default' }) => ` as ${name} in ${namespace}`,
    ({ name, definedIn = '' }) => ` as ${name} of ${relative(around, definedIn)}`,
    ({ name, cluster = '' }) => ` as ${name} in ${cluster}`,
    (release) => ` as ${release.name} (${all.indexOf(release) + 1})`,
  ];
  const label = labels.find((labelOf) => new Set(all.map(labelOf)).size === all.length)!;
  const more = releases.length - all.length;
  return all.map((release, index) => {
    const notes = [releaseNote(release, around)];
    if (release.missing.length > 0)
      notes.push(`rendered without values that are not in the input: ${shortListText(release.missing, 3)}`);
    if (more > 0 && index === 0)
      notes.push(`only ${MOST_RELEASES} of ${releases.length} releases of this chart are judged`);
    const environment = environmentOfRelease(release, around);
    return {
      ...rootOf(`${chart}${label(release)}`, chart, release, notes),
      ...(environment === undefined ? {} : { environment }),
      ...(release.cluster === undefined ? {} : { cluster: release.cluster }),
    };
  });
}

function releaseNote({ name, namespace, values, parameters, definedIn }: NamedRelease, around: string): string {
  const from = [...new Set(values.map((one) => inside(one.from, around)))];
  const file = definedIn === undefined ? '' : inside(definedIn, around);
  if (parameters.length > 0 && !from.includes(file)) from.push(file);
  const what = from.length === 0 ? 'its default values' : `the values of ${shortListText(from, 3)}`;
  const place = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const by = file === '' || from.includes(file) ? '' : `, as ${file} says`;
  return `rendered by helm as release ${name}${place} with ${what}${by}`;
}

function environmentOfRelease(
  { values, definedIn, name, namespace = '', cluster = '' }: NamedRelease,
  around: string,
): string | undefined {
  const paths = [...values.map(({ from }) => inside(from, around)).reverse(), inside(definedIn ?? '', around)];
  return [...paths, name, namespace, cluster]
    .map(environmentOf)
    .find((environment) => environment !== undefined && environment !== ARCHIVE);
}

function inside(path: string, around: string): string {
  return around !== '.' && path.startsWith(`${around}/`) ? path.slice(around.length + 1) : path;
}

function rootOf(name: string, chart: string, release: NamedRelease, notes: readonly string[]): Root {
  return { name, kind: 'chart', sources: [], notes, release: { ...release, chart } };
}

/** Names that helm refuses are replaced: they are none of a release that runs. */
function named({ name, namespace, ...release }: ChartRelease, chartName: string): NamedRelease {
  return {
    ...release,
    name:
      [name, chartName, acceptable(chartName)].find((text) => text !== undefined && isReleaseName(text)) ?? 'release',
    ...(namespace !== undefined && NAMESPACE.test(namespace) ? { namespace } : {}),
  };
}

function isReleaseName(text: string): boolean {
  return text.length <= LONGEST_RELEASE_NAME && RELEASE_NAME.test(text);
}

function acceptable(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_RELEASE_NAME)
    .replace(/^-|-$/g, '');
}

function isInside(path: string, folder: string): boolean {
  return folder === '.' ? !path.startsWith('..') : path.startsWith(`${folder}/`);
}
