import { dirname, normalize } from 'path';
import { argoPaths } from './argo-cd';
import { DefinedObject, DeployedPath } from './deployed-path';
import { fluxPaths, Substitution } from './flux';
import { commonVariables, substitutionEdit } from './flux-variables';
import { RepositoryFolders } from './repository-folders';
import { SourceFile } from '../../../model';
import { Kustomizations } from '../kustomization';
import { chained, ObjectEdit } from '../kustomization-edits';
import { Root } from '../root';
import { identitiesIn } from '../root-objects';

/** What Argo CD and Flux deploy to separate clusters. */
export interface ClusterRoots {
  /** One for each cluster; empty unless there are at least two. */
  readonly roots: readonly Root[];
  readonly folders: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** How many sources cannot be followed. */
  readonly elsewhere: number;
  /** How many of them are ApplicationSets that make too many applications. */
  readonly tooMany: number;
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
 */
export function clusterRoots(
  files: readonly SourceFile[],
  objects: readonly DefinedObject[],
  kustomizations: Kustomizations,
  names: ReadonlySet<string>,
): ClusterRoots {
  const folders = new RepositoryFolders(files, names);
  const content = new FolderContent(files, kustomizations);
  const argo = argoPaths(objects, folders);
  const flux = fluxPaths(objects, folders, (folder, edits) => content.sourcesIn(folder, true, edits));
  const elsewhere = argo.elsewhere + flux.elsewhere;
  const { tooMany } = argo;
  const { substitutions } = flux;
  const undivided: ClusterRoots = {
    roots: [],
    folders: new Set(),
    files: new Set(),
    elsewhere,
    tooMany,
    substitutions,
    argo: argo.paths,
    repository: folders,
  };
  const byCluster = new Map<string, DeployedPath[]>();
  for (const path of [...argo.paths, ...flux.paths])
    byCluster.set(path.cluster, [...(byCluster.get(path.cluster) ?? []), path]);
  if (byCluster.size < 2) return undivided;
  const roots = [...byCluster]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([cluster, paths]): Root => {
      const notes: string[] = [];
      const sources = onceEach(paths).flatMap(({ folder, isRecursive, edits }) =>
        content.sourcesIn(folder, isRecursive, edits, notes),
      );
      return { name: `cluster ${cluster}`, kind: 'cluster', sources, notes: [...new Set(notes)] };
    });
  if (roots.some(definesTwice)) return undivided;
  const deployed = [...byCluster.values()].flat();
  return {
    roots,
    elsewhere,
    tooMany,
    substitutions,
    argo: argo.paths,
    repository: folders,
    folders: new Set([...deployed.map(({ folder }) => folder), ...content.built]),
    files: new Set(roots.flatMap(({ sources }) => sources.map(({ path }) => normalize(path)))),
  };
}

/** Fills in the values of Flux. If several Kustomizations deploy a file, only values on which they agree are used. */
export function filledRoot(root: Root, substitutions: readonly Substitution[]): Root {
  const own = substitutions.filter(({ folder }) => root.kind !== 'kustomization' || isBelow(root.name, folder));
  const sources = root.sources.map((source): SourceFile => {
    const variables = commonVariables(
      own.filter(({ content }) => content.has(normalize(source.path))).map((substitution) => substitution.variables),
    );
    return variables
      ? { ...source, edit: chained([...(source.edit ? [source.edit] : []), substitutionEdit(variables)]) }
      : source;
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

/** What a folder deploys: its kustomization if it has one, otherwise its files. */
class FolderContent {
  /** The folders of the kustomizations that are a part of what was asked for. */
  public readonly built = new Set<string>();

  public constructor(
    private readonly files: readonly SourceFile[],
    private readonly kustomizations: Kustomizations,
  ) {}

  public sourcesIn(
    folder: string,
    isRecursive: boolean,
    edits: readonly ObjectEdit[],
    notes: string[] = [],
  ): SourceFile[] {
    if (this.kustomizations.has(folder)) {
      this.built.add(folder);
      const { sources, notes: built } = this.kustomizations.build(folder);
      notes.push(...built);
      return sources.map((source) =>
        edits.length === 0 ? source : { ...source, edit: chained([...(source.edit ? [source.edit] : []), ...edits]) },
      );
    }
    if (this.files.some(({ path }) => normalize(path) === normalize(`${folder}/Chart.yaml`))) return [];
    const inFolder = this.files.filter(({ path }) =>
      isRecursive ? isBelow(dirname(normalize(path)), folder) : dirname(normalize(path)) === folder,
    );
    const nested = isRecursive ? this.kustomizations.foldersBelow(folder) : [];
    const own = inFolder.filter(({ path }) => !nested.some((inner) => isBelow(dirname(normalize(path)), inner)));
    return [
      ...own.map((file) => ({ ...file, ...(edits.length === 0 ? {} : { edit: chained(edits) }) })),
      ...nested.flatMap((inner) => this.sourcesIn(inner, true, edits, notes)),
    ];
  }
}

function isBelow(folder: string, outer: string): boolean {
  return folder === outer || outer === '.' || folder.startsWith(`${outer}/`);
}

/** Two applications may deploy the same folder in the same way. */
function onceEach(paths: readonly DeployedPath[]): DeployedPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify([path.folder, path.variant]), path])).values()];
}
