import { dirname, normalize } from 'path';
import { chartFolders, chartRoots } from './charts/chart-roots';
import { ClusterRoots, clusterRoots, filledRoot } from './clusters/cluster-roots';
import { DeployedFolders, LooseFiles } from './clusters/deployed-roots';
import { RepositoryOnDisk } from './clusters/missing-paths';
import { hasCompanions, isCompanion } from './companions';
import { withOthersMarked } from './files-of-others';
import { describeFragments, FragmentFile, fragmentFiles } from './fragments';
import { Kustomizations, RunKustomize } from './kustomization';
import { withoutPlannedFiles } from './planned-files';
import { withReleaseValues } from './release-values';
import { Root } from './root';
import {
  CLUSTER_CLASS_KINDS,
  documentsIn,
  editedObjectsIn,
  identitiesIn,
  isOfKind,
  JUDGED_KINDS,
  NAMESPACE_KINDS,
  objectKey,
  objectsIn,
  WORKLOAD_KINDS,
} from './root-objects';
import { withTerraformClusters } from './terraform-clusters';
import { asRecord } from '../../../../contract';
import { countText } from '../../../../model';
import { nameOfCopy } from '../../copied-names';
import { SourceFile } from '../../model';
import { kustomizationParts } from '../kustomize';
import { isTerraformJson } from '../terraform/planned-manifests';

export interface RootOptions {
  /** Names of the Git repositories that the files belong to. @default - unknown */
  readonly repositories?: ReadonlySet<string>;
  /** @default - what cannot be followed is left out of the build */
  readonly runKustomize?: RunKustomize;
  /** Whether there is a file or a folder that is not in the input. @default - unknown, so no build is refused */
  readonly exists?: (path: string) => boolean;
  /** Whether the user has given values for charts, so that those of environments are not used. @default false */
  readonly hasOwnValues?: boolean;
  /** Files that charts of the repository make, with objects of Argo CD and Flux. @default - none */
  readonly rendered?: readonly SourceFile[];
  /** The repository on this machine. @default - unknown, so no path is said to be missing */
  readonly onDisk?: RepositoryOnDisk;
}

/**
 * Divides files into what is deployed together: all that Argo CD or Flux deploy to one of several clusters, each
 * kustomization that no other one uses, each Helm chart, and all other files. Files that define the same object in
 * several folders are variants, so each folder is a root.
 */
export function rootsOf(
  given: readonly SourceFile[],
  { repositories = new Set(), runKustomize, exists, hasOwnValues = false, rendered = [], onDisk }: RootOptions = {},
): Root[] {
  const read = withoutRendered(withoutPlannedFiles(given.filter(({ trace }) => trace === undefined)));
  const traces = given.filter(({ trace }) => trace !== undefined);
  const around = commonFolder(read);
  const files = withOthersMarked(read, around);
  const charts = chartFolders(files);
  const isInChart = ({ path }: SourceFile) => charts.some((chart) => isInside(path, chart));
  const outside = files.filter((file) => !isInChart(file));
  // A kustomization may use what helm has rendered into the folder of a chart.
  const kustomizations = new Kustomizations(files, runKustomize, exists);
  const { usedFiles } = kustomizations;
  const parts = kustomizationParts(files);
  const objects = outside.filter(({ path }) => !parts.has(normalize(path)));
  const definitions = [...objects, ...rendered].flatMap((file) => objectsIn(file).map((object) => ({ file, object })));
  const clusters = clusterRoots(files, definitions, kustomizations, repositories, onDisk);
  const unused = outside.filter(({ path }) => !usedFiles.has(normalize(path)) && !clusters.files.has(normalize(path)));
  const fragments = fragmentFiles(unused, kustomizations);
  const plain = unused.flatMap((file) => {
    const fragment = fragments.find((one) => one.file === file);
    return fragment ? (fragment.rest ?? []) : file;
  });
  const deployedFolders = new DeployedFolders(clusters.undivided, kustomizations, files);
  const rootFolders = [...new Set([...kustomizations.rootFolders, ...deployedFolders.kustomizationFolders])].filter(
    (folder) => !clusters.folders.has(folder) && !charts.some((chart) => folder === chart || isInside(folder, chart)),
  );
  const loose = deployedFolders.looseFiles(plain);
  const others = [
    ...rootFolders.flatMap((folder) => kustomizationRoots(folder, kustomizations, deployedFolders, clusters)),
    ...looseRoots(loose, clusters),
    ...chartRoots(charts, [...files, ...rendered], { clusters, kustomizations, hasOwnValues, around, traces }),
  ];
  const roots = [...clusters.roots, ...others];
  const all = withDevelopment(roots, around);
  const isKept = (root: Root) => root.kind === 'chart' || isJudged(root);
  const left = all.filter((root) => !isKept(root));
  const judged = withReleaseValues(
    withSuppliers(
      all.filter(isKept),
      left.filter((root) => hasKind(root, SUPPLIED_KINDS)),
    ),
    files,
    clusters.repository,
  ).map((root) => withRoots(root, left.filter(hasCompanions)));
  // Without any root, all files would be judged as they are.
  const found =
    judged.length > 0 || fragments.length === 0
      ? judged
      : [{ name: around, kind: 'files' as const, sources: plain, notes: [] }];
  const noted = withNotes(withDeploymentProblems(withMissingPaths(found, clusters), clusters), clusters);
  return withTerraformClusters(withFragments(noted, fragments), traces);
}

const TEMPLATE_EXTENSION = /\.(?:tpl|tftpl|tmpl|gotmpl|j2|jinja2?)$/;

/** Leaves out templates beside their result, such as `pool.yaml.tpl` beside `pool.yaml`. */
function withoutRendered(files: readonly SourceFile[]): SourceFile[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.filter(({ path, isFound }) => {
    const result = path.replace(TEMPLATE_EXTENSION, '');
    return !isFound || result === path || ![result, `${result}.yaml`, `${result}.yml`].some((name) => paths.has(name));
  });
}

/** Kinds that workloads of other roots use. */
const SUPPLIED_KINDS = [...CLUSTER_CLASS_KINDS, ...NAMESPACE_KINDS];

function withSuppliers(roots: readonly Root[], suppliers: readonly Root[]): Root[] {
  return suppliers.length === 0 ? [...roots] : roots.map((root) => ({ ...root, suppliers }));
}

function withRoots(root: Root, companions: readonly Root[]): Root {
  return companions.length === 0 ? root : { ...root, companions };
}

/**
 * A root for each way to deploy a kustomization. One that cannot be built is a root only if it has objects that are
 * judged.
 */
function kustomizationRoots(
  folder: string,
  kustomizations: Kustomizations,
  deployed: DeployedFolders,
  { substitutions }: ClusterRoots,
): Root[] {
  const files = kustomizations.filesReachedBy(folder);
  const hasJudged = files.some((file) => hasObject(file, JUDGED_KINDS));
  const isSupplier = files.some((file) => hasObject(file, SUPPLIED_KINDS));
  const isOther = isSupplier || files.some((file) => objectsIn(file).some(isCompanion));
  if (!hasJudged && !isOther && !kustomizations.hasPartsElsewhere(folder) && !kustomizations.lacksFiles(folder))
    return [];
  const isRefused = ({ sources }: Root) => sources.some(({ unreadable }) => unreadable !== undefined);
  const roots = deployed.rootsOf(folder);
  if (roots.length === 0)
    roots.push(filledRoot({ name: folder, kind: 'kustomization', ...kustomizations.build(folder) }, substitutions));
  const isMisspelt = ({ sources }: Root) => sources.some(({ unreadable }) => unreadable?.isMisspelt === true);
  return roots.filter((root) => hasJudged || !isRefused(root) || isMisspelt(root));
}

/** Roots of files outside of kustomizations, as Argo CD or Flux deploy them. */
function looseRoots({ files, deployed, notes }: LooseFiles, { substitutions }: ClusterRoots): Root[] {
  const roots = plainRoots(files).map((root) => filledRoot(root, substitutions, deployed));
  return roots.map((root, index) => (index === 0 ? { ...root, notes: [...root.notes, ...notes] } : root));
}

const DEVELOPMENT = /(^|\/)(dev|development|kind|k3d|minikube|local|sandbox)(\/|$)/;

/** Marks the files of roots for development. Folders around the input say nothing: many people work in `~/dev`. */
function withDevelopment(roots: readonly Root[], around: string): Root[] {
  return roots.map((root) => {
    const name = isInside(root.name, around) ? root.name.slice(around === '.' ? 0 : around.length + 1) : '';
    if (root.kind === 'cluster' || (!DEVELOPMENT.test(name) && root.environment !== 'dev')) return root;
    if (root.release) return { ...root, release: { ...root.release, isForDevelopment: true } };
    return { ...root, sources: root.sources.map((source) => ({ ...source, isForDevelopment: true })) };
  });
}

/** Names parts of objects in a note on the kustomization beside them, or on the first root. */
function withFragments(roots: readonly Root[], fragments: readonly FragmentFile[]): Root[] {
  const isOf = ({ kind, name }: Root, folder: string | undefined) =>
    kind === 'kustomization' && normalize(name) === folder;
  return roots.map((root, index) => {
    const own = fragments.filter(
      ({ folder }) => isOf(root, folder) || (index === 0 && !roots.some((other) => isOf(other, folder))),
    );
    return { ...root, notes: [...root.notes, ...describeFragments(own)] };
  });
}

/** Adds the finding on paths that the repository lacks to the first root that has files. */
function withMissingPaths(roots: readonly Root[], { missing }: ClusterRoots): Root[] {
  const first = roots.findIndex(({ kind }) => kind !== 'chart');
  if (missing.length === 0) return [...roots];
  if (first < 0) {
    const notes = missing.map(({ path, unreadable }) => `${path}: ${unreadable!.message}`);
    return roots.map((root, index) => (index === 0 ? { ...root, notes: [...root.notes, ...notes] } : root));
  }
  return roots.map((root, index) => (index === first ? { ...root, sources: [...root.sources, ...missing] } : root));
}

/** Adds the findings on objects that deploy nothing to the first root that has files. */
function withDeploymentProblems(roots: readonly Root[], { problems }: ClusterRoots): Root[] {
  if (problems.length === 0) return [...roots];
  const first = roots.find(({ sources }) => sources.length > 0);
  if (first === undefined)
    return roots.map((root, index) =>
      index === 0 ? { ...root, deploymentProblems: [...(root.deploymentProblems ?? []), ...problems] } : root,
    );
  const [source, ...others] = first.sources;
  const sources = [{ ...source, deploymentProblems: problems }, ...others];
  return roots.map((root) => (root === first ? { ...root, sources } : root));
}

/** One note for all sources that cannot be followed. */
function withNotes(
  [first, ...roots]: readonly Root[],
  { elsewhere, tooMany }: Pick<ClusterRoots, 'elsewhere' | 'tooMany'>,
): Root[] {
  if (first === undefined) return [];
  if (tooMany > 0) {
    const sets = tooMany === 1 ? '1 ApplicationSet makes' : `${tooMany} ApplicationSets make`;
    const note = `${sets} more than 2,000 applications, which are not judged`;
    return withNotes([{ ...first, notes: [...first.notes, note] }, ...roots], {
      elsewhere: elsewhere - tooMany,
      tooMany: 0,
    });
  }
  if (elsewhere === 0) return [first, ...roots];
  const which = countText(elsewhere, 'source of Argo CD or Flux is', 'sources of Argo CD and Flux are');
  return [
    {
      ...first,
      notes: [...first.notes, `${which} not judged: the repository, the chart or the cluster is not in the input`],
    },
    ...roots,
  ];
}

/** How many workloads the files of a root define. */
export function countWorkloads({ sources }: Root): number {
  return sources.flatMap(objectsIn).filter((object) => isOfKind(object, WORKLOAD_KINDS)).length;
}

function isInside(path: string, folder: string): boolean {
  return folder === '.' ? !path.startsWith('..') : path.startsWith(`${folder}/`);
}

function plainRoots(files: readonly SourceFile[]): Root[] {
  const named = files.filter(({ isFound }) => !isFound);
  const found = files.filter(({ isFound }) => isFound);
  const variants = variantFiles(found);
  if (variants.size === 0 && !definesTwice(found)) return filesRoot(commonFolder(files), files);
  const folders = [...new Set(found.map(({ path }) => dirname(path)))].sort();
  return [
    ...filesRoot(commonFolder(named), named),
    ...folders.flatMap((folder) =>
      folderRoots(
        folder,
        found.filter(({ path }) => dirname(path) === folder),
        variants,
      ),
    ),
  ];
}

/** Variants in one folder are a root each, together with the folder's other files. */
function folderRoots(folder: string, files: readonly SourceFile[], variants: ReadonlySet<SourceFile>): Root[] {
  const shared = files.filter((file) => !variants.has(file));
  if (shared.length === files.length) return filesRoot(folder, files);
  return files.filter((file) => variants.has(file)).flatMap((file) => filesRoot(file.path, [file, ...shared]));
}

function filesRoot(name: string, sources: readonly SourceFile[]): Root[] {
  return sources.length === 0 ? [] : [{ name, kind: 'files', sources, notes: [] }];
}

/** Files of one folder, at least half of whose objects are also in another file of the folder. */
function variantFiles(files: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const filesByObject = new Map<string, SourceFile[]>();
  for (const file of files) {
    for (const identity of identitiesIn(file)) {
      const key = JSON.stringify([dirname(file.path), identity]);
      const known = filesByObject.get(key);
      if (known) known.push(file);
      else filesByObject.set(key, [file]);
    }
  }
  const variants = new Set<SourceFile>();
  // Two files may have thousands of objects in common, and are compared once.
  const compared = new Map<SourceFile, Set<SourceFile>>();
  for (const [first, ...others] of filesByObject.values()) {
    const known = compared.get(first) ?? new Set([first]);
    compared.set(first, known);
    for (const other of others) {
      if (known.has(other)) continue;
      known.add(other);
      const own = identitiesIn(first);
      const its = new Set(identitiesIn(other));
      const common = own.filter((identity) => its.has(identity)).length;
      if (common * 2 >= Math.min(own.length, its.size) && !isCopied(first, other, files))
        variants.add(first).add(other);
    }
  }
  return variants;
}

/** Whether one of two files is a copy of the other, with other objects whose names were forgotten. */
function isCopied(first: SourceFile, other: SourceFile, files: readonly SourceFile[]): boolean {
  const objectsOf = (file: SourceFile) =>
    editedObjectsIn(file)
      .filter((object) => isOfKind(object, JUDGED_KINDS))
      .map((raw) => ({ path: file.path, raw }));
  const folder = dirname(first.path) === dirname(other.path) ? dirname(first.path) : dirname(dirname(first.path));
  const all = files.filter(({ path }) => isInside(path, folder)).flatMap(objectsOf);
  const pairs = objectsOf(first).flatMap((one) =>
    objectsOf(other).flatMap((two) => (objectKey(one.raw) === objectKey(two.raw) ? [[one, two] as const] : [])),
  );
  return pairs.every(([one, two]) => {
    const ofKind = all.filter(({ raw }) => raw.kind === one.raw.kind);
    return (nameOfCopy(one, two, ofKind) ?? nameOfCopy(two, one, ofKind)) !== undefined;
  });
}

/** Whether files of two folders define an object of the same identity, which is no copy of the other one. */
function definesTwice(files: readonly SourceFile[]): boolean {
  const fileOf = new Map<string, SourceFile>();
  return files.some((file) =>
    identitiesIn(file).some((identity) => {
      const earlier = fileOf.get(identity);
      if (earlier === undefined) fileOf.set(identity, file);
      const isElsewhere = earlier !== undefined && dirname(earlier.path) !== dirname(file.path);
      return isElsewhere && !isCopied(earlier, file, files);
    }),
  );
}

function commonFolder(files: readonly SourceFile[]): string {
  const folders = files.map(({ path }) => dirname(path).split('/'));
  const [first = []] = folders;
  const length = first.findIndex((step, index) => folders.some((folder) => folder[index] !== step));
  return (length < 0 ? first : first.slice(0, length)).join('/') || '.';
}

function isJudged(root: Root): boolean {
  if (hasKind(root, JUDGED_KINDS)) return true;
  // A build that kustomize refuses has no objects, and a reason.
  if (root.kind === 'kustomization') return root.sources.some(({ unreadable }) => unreadable !== undefined);
  // What was named on the command line gets an answer in any case.
  return (
    root.kind === 'files' &&
    root.sources.some((file) => file.stack !== undefined || !file.isFound || isTemplateFile(file))
  );
}

function hasKind({ sources }: Root, kinds: readonly string[]): boolean {
  return sources.some((file) => hasObject(file, kinds));
}

function hasObject(file: SourceFile, kinds: readonly string[]): boolean {
  return objectsIn(file).some((object) => isOfKind(object, kinds));
}

function isTemplateFile(file: SourceFile): boolean {
  return documentsIn(file).some((document) => {
    const record = asRecord(document) ?? {};
    return asRecord(record.Resources) !== undefined || isTerraformJson(record);
  });
}
