import { dirname, normalize, relative } from 'path';
import { DeployedPath } from './deployed-path';
import { FolderContent, isBelow } from './folder-content';
import { SourceFile } from '../../../model';
import { Kustomizations } from '../kustomization';
import { Root } from '../root';

/** More ways to deploy one folder than these are not judged. */
const MOST_VARIANTS = 20;

export interface LooseFiles {
  readonly files: readonly SourceFile[];
  /** The files that the source changes as a whole, with their variables. */
  readonly deployed: readonly SourceFile[];
  readonly notes: readonly string[];
}

/**
 * What Argo CD and Flux change in the folders that they deploy, if their clusters are no roots: patches, names,
 * namespaces and variables.
 */
export class DeployedFolders {
  private readonly content: FolderContent;

  public constructor(
    private readonly paths: readonly DeployedPath[],
    private readonly kustomizations: Kustomizations,
    files: readonly SourceFile[],
  ) {
    this.content = new FolderContent(files, kustomizations);
  }

  /** The folders of kustomizations that are deployed themselves, even if others use them. */
  public get kustomizationFolders(): string[] {
    const folders = this.paths.filter(hasChanges).map(({ folder }) => folder);
    return [...new Set(folders)].filter((folder) => this.kustomizations.has(folder)).sort();
  }

  /** A root for each way to deploy the kustomization of a folder; none if nothing deploys it. */
  public rootsOf(folder: string): Root[] {
    const variants = onceEach(this.paths.filter((path) => this.deploys(path, folder)));
    if (!variants.some(hasChanges)) return [];
    const labels = labelsOf(variants);
    return variants.slice(0, MOST_VARIANTS).map((path, index): Root => {
      const notes: string[] = [];
      const sources = this.content.builtSources(folder, path.folder !== folder, path, notes);
      if (index === 0 && variants.length > MOST_VARIANTS)
        notes.push(`only ${MOST_VARIANTS} of ${variants.length} ways to deploy this folder are judged`);
      return { name: `${folder}${labels[index]}`, kind: 'kustomization', sources, notes };
    });
  }

  /** Files outside of kustomizations as they are deployed. A file with several ways to deploy it stays as it is. */
  public looseFiles(files: readonly SourceFile[]): LooseFiles {
    const byVariant = new Map<string, { readonly path: DeployedPath; readonly files: SourceFile[] }>();
    const result = new Map<SourceFile, SourceFile>();
    for (const file of files) {
      const variants = onceEach(this.paths.filter((path) => this.deploysFile(path, normalize(file.path))));
      if (variants.length !== 1 || !hasChanges(variants[0])) continue;
      const [path] = variants;
      const key = JSON.stringify([path.folder, path.variant]);
      byVariant.set(key, { path, files: [...(byVariant.get(key)?.files ?? []), file] });
    }
    const deployed: SourceFile[] = [];
    const notes: string[] = [];
    for (const { path, files: own } of byVariant.values()) {
      const changed = this.content.looseSources(own, true, path, notes);
      for (const file of own) {
        const one = changed.find((source) => source.path === file.path);
        if (one !== undefined) deployed.push(one);
        result.set(file, one ?? { ...file, edit: () => undefined });
      }
    }
    return { files: files.map((file) => result.get(file) ?? file), deployed, notes };
  }

  /** Whether the kustomization of a folder is a part of what is deployed. */
  private deploys({ folder: outer, isRecursive }: DeployedPath, folder: string): boolean {
    return folder === outer || (isRecursive && !this.kustomizations.has(outer) && isBelow(folder, outer));
  }

  private deploysFile({ folder, isRecursive, isIncluded = () => true }: DeployedPath, path: string): boolean {
    if (this.kustomizations.has(folder)) return false;
    const isInside = isRecursive ? isBelow(dirname(path), folder) : dirname(path) === folder;
    return isInside && isIncluded(relative(folder, path));
  }
}

function hasChanges({ inline, edits }: DeployedPath): boolean {
  return inline !== undefined || edits.length > 0;
}

function onceEach(paths: readonly DeployedPath[]): DeployedPath[] {
  return [...new Map(paths.map((path) => [path.variant, path])).values()];
}

/** Names tell the ways to deploy a folder apart: by the deploying object, else by its cluster or file. */
function labelsOf(variants: readonly DeployedPath[]): string[] {
  if (variants.length < 2) return [''];
  const kinds: ReadonlyArray<(path: DeployedPath) => string> = [
    ({ by }) => ` as ${by.name ?? ''}`,
    ({ by, cluster }) => ` as ${by.name ?? ''} in ${cluster}`,
    ({ by }) => ` as ${by.name ?? ''} of ${by.definition.file.path}`,
  ];
  const labels = kinds.map((labelOf) => variants.map(labelOf));
  return (
    labels.find((some) => new Set(some).size === some.length) ??
    labels[0].map((label, index) => `${label} (${index + 1})`)
  );
}
