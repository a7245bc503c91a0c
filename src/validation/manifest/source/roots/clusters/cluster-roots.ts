import { normalize } from 'path';
import { argoPaths } from './argo-cd';
import { DefinedObject, DeployedPath } from './deployed-path';
import { flatPathFiles } from './flat-paths';
import { fluxPaths, Substitution } from './flux';
import { commonVariables, substitutionEdit } from './flux-variables';
import { FolderContent, isBelow, withMoreEdits } from './folder-content';
import { missingPathFiles, missingPaths, RepositoryOnDisk } from './missing-paths';
import { RepositoryFolders } from './repository-folders';
import { DeploymentProblem, SourceFile } from '../../../model';
import { Kustomizations } from '../kustomization';
import { Root } from '../root';
import { identitiesIn } from '../root-objects';
import { deploymentProblems } from '../wiring/deployment-problems';

/** What Argo CD and Flux deploy to separate clusters. */
export interface ClusterRoots {
  /** One for each cluster; empty unless there are at least two. */
  readonly roots: readonly Root[];
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** How many sources cannot be followed. */
  readonly elsewhere: number;
  /** Files that are unreadable because they deploy paths that the repository lacks, or folders without manifests. */
  readonly missing: readonly SourceFile[];
  /** Why objects of Argo CD and Flux deploy nothing. */
  readonly problems: readonly DeploymentProblem[];
  /** How many of them are ApplicationSets that make too many applications. */
  readonly tooMany: number;
  /** What Argo CD and Flux deploy, unless the roots above have it. */
  readonly undivided: readonly DeployedPath[];
  /** What Argo CD deploys, whatever the number of clusters. */
  readonly argo: readonly DeployedPath[];
  readonly repository: RepositoryFolders;
  /** What Flux fills in to the files of other roots. The roots above have it already. */
  readonly substitutions: readonly Substitution[];
}

/**
 * Divides what Argo CD and Flux deploy by cluster, so that NodePools and workloads of different clusters are not
 * planned together. Nothing is divided with one destination only, or if two files define the same object of a cluster:
 * then the applications are alternatives, as in a collection of examples.
 *
 * @param names of the repositories that the files belong to; empty if they are unknown
 * @param onDisk the repository of the files; if it is unknown, no path is said to be missing
 */
export function clusterRoots(
  files: readonly SourceFile[],
  objects: readonly DefinedObject[],
  kustomizations: Kustomizations,
  names: ReadonlySet<string>,
  onDisk?: RepositoryOnDisk,
): ClusterRoots {
  const folders = new RepositoryFolders(files, names);
  const content = new FolderContent(files, kustomizations);
  const argo = argoPaths(objects, folders);
  const flux = fluxPaths(objects, folders, (folder, deployment) => content.sourcesIn(folder, true, deployment));
  const missing = missingPaths([...argo.written, ...flux.written], onDisk, folders);
  const elsewhere = argo.elsewhere + flux.elsewhere - missing.length;
  const missingFiles = [...missingPathFiles(missing, folders), ...flatPathFiles(argo.written, files, onDisk, folders)];
  const problems = deploymentProblems(objects, argo, flux, content, kustomizations);
  const { tooMany } = argo;
  const { substitutions } = flux;
  const undivided: ClusterRoots = {
    roots: [],
    folders: new Set(),
    files: new Set(),
    elsewhere,
    missing: missingFiles,
    problems,
    tooMany,
    substitutions,
    undivided: [...argo.paths, ...flux.paths],
    argo: argo.paths,
    repository: folders,
  };
  const byCluster = new Map<string, DeployedPath[]>();
  for (const path of undivided.undivided) byCluster.set(path.cluster, [...(byCluster.get(path.cluster) ?? []), path]);
  if (byCluster.size < 2) return undivided;
  const roots = [...byCluster]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([cluster, paths]): Root => {
      const notes: string[] = [];
      const sources = onceEach(paths).flatMap((path) => content.sourcesIn(path.folder, path.isRecursive, path, notes));
      return { name: `cluster ${cluster}`, kind: 'cluster', sources, notes: [...new Set(notes)] };
    });
  if (roots.some(definesTwice)) return undivided;
  const deployed = [...byCluster.values()].flat();
  return {
    roots,
    elsewhere,
    missing: missingFiles,
    problems,
    tooMany,
    substitutions,
    undivided: [],
    argo: argo.paths,
    repository: folders,
    folders: new Set([...deployed.map(({ folder }) => folder), ...content.built]),
    files: new Set(roots.flatMap(({ sources }) => sources.map(({ path }) => normalize(path)))),
  };
}

/**
 * Fills in the values of Flux. If several Kustomizations deploy a file, only values on which they agree are used.
 *
 * @param filled files that have the values
 */
export function filledRoot(
  root: Root,
  substitutions: readonly Substitution[],
  filled: readonly SourceFile[] = [],
): Root {
  const own = substitutions.filter(({ folder }) => root.kind !== 'kustomization' || isBelow(root.name, folder));
  const sources = root.sources.map((source): SourceFile => {
    if (filled.includes(source)) return source;
    const variables = commonVariables(
      own.filter(({ content }) => content.has(normalize(source.path))).map((substitution) => substitution.variables),
    );
    return variables ? withMoreEdits(source, [substitutionEdit(variables)]) : source;
  });
  return { ...root, sources };
}

function definesTwice({ sources }: Root): boolean {
  const fileOf = new Map<string, string>();
  return sources.some((source) =>
    identitiesIn(source).some((identity) => {
      const earlier = fileOf.get(identity);
      fileOf.set(identity, source.path);
      return earlier !== undefined && earlier !== source.path;
    }),
  );
}

/** Two applications may deploy the same folder in the same way. */
function onceEach(paths: readonly DeployedPath[]): DeployedPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify([path.folder, path.variant]), path])).values()];
}
