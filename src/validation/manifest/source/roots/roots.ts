import { dirname, normalize } from 'path';
import { Kustomizations } from './kustomization';
import { asRecord } from '../../../../contract';
import { memoizeByIdentity } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';
import { readDocuments } from '../../yaml/documents';
import { findUnreadable, SourceText } from '../source-text';

/** Manifests that are deployed together. */
export interface Root {
  /** The folder of the root. */
  readonly name: string;
  readonly kind: 'kustomization' | 'chart' | 'files';
  /** Empty for a chart: Helm makes its manifests. */
  readonly sources: readonly SourceFile[];
  /** What the sources lack, or have from elsewhere, one sentence each. */
  readonly notes: readonly string[];
}

const POOL_KINDS = ['NodePool', 'EC2NodeClass'];
const WORKLOAD_KINDS = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod'];
const JUDGED_KINDS = [...POOL_KINDS, ...WORKLOAD_KINDS, 'Provisioner', 'AWSNodeTemplate', 'NodeOverlay', 'CapacityBuffer', 'PodDisruptionBudget'];

/**
 * Divides files into what is deployed together: each kustomization that no other one uses, each Helm chart, and all
 * other files. Files that define the same object in several folders are variants, so each folder is a root.
 */
export function rootsOf(files: readonly SourceFile[]): Root[] {
  const charts = chartFolders(files);
  const isInChart = ({ path }: SourceFile) => charts.some((chart) => isInside(path, chart));
  const outside = files.filter((file) => !isInChart(file));
  // A kustomization may use what helm has rendered into the folder of a chart.
  const kustomizations = new Kustomizations(files);
  const { usedFiles } = kustomizations;
  const plain = outside.filter(({ path }) => !usedFiles.has(normalize(path)));
  const roots = [
    ...kustomizations.rootFolders.filter((folder) => !charts.some((chart) => folder === chart || isInside(folder, chart))).map((folder): Root => {
      const { sources, missing } = kustomizations.build(folder);
      return { name: folder, kind: 'kustomization', sources, notes: missing.map((part) => `not built: ${part}`) };
    }),
    ...plainRoots(plain),
    ...charts.map((folder): Root => ({ name: folder, kind: 'chart', sources: [], notes: [] })),
  ];
  return withPoolsOfRepository(roots.filter((root) => root.kind === 'chart' || isJudged(root)));
}

/** The folders of charts. The charts that a chart contains are a part of it. */
function chartFolders(files: readonly SourceFile[]): string[] {
  const folders = files.filter(({ path, isFound }) => isFound && /(^|\/)Chart\.yaml$/.test(path)).map(({ path }) => dirname(path)).sort();
  return folders.filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));
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
    ...folders.flatMap((folder) => folderRoots(folder, found.filter(({ path }) => dirname(path) === folder), variants)),
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
      filesByObject.set(key, [...filesByObject.get(key) ?? [], file]);
    }
  }
  const variants = new Set<SourceFile>();
  for (const [first, ...others] of filesByObject.values()) {
    for (const other of others) {
      if (first === other) continue;
      const [own, its] = [identitiesIn(first), identitiesIn(other)];
      const common = own.filter((identity) => its.includes(identity)).length;
      if (common * 2 >= Math.min(own.length, its.length)) variants.add(first).add(other);
    }
  }
  return variants;
}

/** The judged objects of a file, as kind, namespace and name. */
const identitiesIn = memoizeByIdentity((file: SourceFile): readonly string[] =>
  objectsIn(file).filter(({ kind }) => JUDGED_KINDS.includes(String(kind))).map(({ kind, metadata }) => {
    const { name, namespace } = asRecord(metadata) ?? {};
    return JSON.stringify([kind, namespace ?? 'default', name]);
  }));

/** Whether files of two folders define an object of the same identity. */
function definesTwice(files: readonly SourceFile[]): boolean {
  const folderOf = new Map<string, string>();
  return files.some((file) => identitiesIn(file).some((identity) => {
    const earlier = folderOf.get(identity);
    if (earlier === undefined) folderOf.set(identity, dirname(file.path));
    return earlier !== undefined && earlier !== dirname(file.path);
  }));
}

function commonFolder(files: readonly SourceFile[]): string {
  const folders = files.map(({ path }) => dirname(path).split('/'));
  const [first = []] = folders;
  const length = first.findIndex((step, index) => folders.some((folder) => folder[index] !== step));
  return (length < 0 ? first : first.slice(0, length)).join('/') || '.';
}

/** A root without NodePools is judged with those of the repository, if only one root has some. */
function withPoolsOfRepository(roots: readonly Root[]): Root[] {
  const withPools = roots.filter((root) => hasKind(root, ['NodePool']));
  const [only] = withPools;
  if (withPools.length !== 1) return [...roots];
  return roots.map((root) => root === only || root.kind === 'chart' || !hasKind(root, WORKLOAD_KINDS) ? root : {
    ...root,
    sources: [...root.sources, ...only.sources.map((source): SourceFile => ({ ...source, edit: onlyPools(source.edit) }))],
    notes: [...root.notes, `with the NodePools of ${only.name}`],
  });
}

function onlyPools(edit: SourceFile['edit']): NonNullable<SourceFile['edit']> {
  return (object) => POOL_KINDS.includes(String(object.kind)) ? edit ? edit(object) : object : undefined;
}

function isJudged(root: Root): boolean {
  if (hasKind(root, JUDGED_KINDS)) return true;
  // What was named on the command line gets an answer in any case.
  return root.kind === 'files' && root.sources.some((file) => file.stack !== undefined || !file.isFound || isTemplateFile(file));
}

function hasKind({ sources }: Root, kinds: readonly string[]): boolean {
  return sources.some((file) => objectsIn(file).some(({ kind }) => kinds.includes(String(kind))));
}

function isTemplateFile(file: SourceFile): boolean {
  return documentsIn(file).some((document) => asRecord(asRecord(document)?.Resources) !== undefined);
}

function objectsIn(file: SourceFile): PlainRecord[] {
  return documentsIn(file).flatMap((document) => {
    const object = asRecord(document) ?? {};
    return Array.isArray(object.items) ? object.items.map((item) => asRecord(item) ?? {}) : [object];
  });
}

const documentsIn = memoizeByIdentity((file: SourceFile): readonly unknown[] =>
  findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents.map(({ value }) => value));
