import { dirname, normalize, relative } from 'path';
import { DeployedPath } from './deployed-path';
import { SourceFile } from '../../../model';
import { Kustomizations } from '../kustomization';
import { chained } from '../kustomization-edits';
import { identitiesIn } from '../root-objects';

/** How a folder is deployed. */
export type Deployment = Pick<DeployedPath, 'inline' | 'edits' | 'by' | 'isIncluded'>;

/** What a folder deploys: its kustomization if it has one, otherwise its files. */
export class FolderContent {
  /** The folders of the kustomizations that are a part of what was asked for. */
  public readonly built = new Set<string>();

  public constructor(
    private readonly files: readonly SourceFile[],
    private readonly kustomizations: Kustomizations,
  ) {}

  public sourcesIn(folder: string, isRecursive: boolean, deployment: Deployment, notes: string[] = []): SourceFile[] {
    if (this.kustomizations.has(folder)) return this.builtSources(folder, false, deployment, notes);
    if (this.files.some(({ path }) => normalize(path) === normalize(`${folder}/Chart.yaml`))) return [];
    const { own: all, nested } = this.partsOf(folder, isRecursive);
    const { isIncluded = () => true } = deployment;
    const own = all.filter(({ path }) => isIncluded(relative(folder, normalize(path))));
    return [
      ...this.looseSources(own, nested.length > 0, deployment, notes),
      ...nested.flatMap((inner) => this.builtSources(inner, true, deployment, notes)),
    ];
  }

  /** The files of a folder without a kustomization, and the folders of kustomizations below it. */
  public partsOf(folder: string, isRecursive: boolean): { readonly own: SourceFile[]; readonly nested: string[] } {
    const inFolder = this.files.filter(({ path }) =>
      isRecursive ? isBelow(dirname(normalize(path)), folder) : dirname(normalize(path)) === folder,
    );
    const nested = isRecursive ? this.kustomizations.foldersBelow(folder) : [];
    const own = inFolder.filter(({ path }) => !nested.some((inner) => isBelow(dirname(normalize(path)), inner)));
    return { own, nested };
  }

  /** Whether a test leaves out all files with objects of a folder that is neither a chart nor a kustomization. */
  public isEmptied(folder: string, isRecursive: boolean, isIncluded: (path: string) => boolean): boolean {
    if (this.kustomizations.has(folder)) return false;
    if (this.files.some(({ path }) => normalize(path) === normalize(`${folder}/Chart.yaml`))) return false;
    const { own, nested } = this.partsOf(folder, isRecursive);
    const withObjects = own.filter((file) => identitiesIn(file).length > 0);
    return (
      nested.length === 0 &&
      withObjects.length > 0 &&
      withObjects.every(({ path }) => !isIncluded(relative(folder, normalize(path))))
    );
  }

  /** @param isPart whether other objects are deployed with the same fields */
  public builtSources(
    folder: string,
    isPart: boolean,
    { inline, edits, by }: Deployment,
    notes: string[],
  ): SourceFile[] {
    this.built.add(folder);
    const build = inline ? { fields: inline, isPart, by: by.definition } : undefined;
    const { sources, notes: built } = this.kustomizations.build(folder, build);
    notes.push(...built);
    return sources.map((source) => withMoreEdits(source, edits));
  }

  public looseSources(
    files: readonly SourceFile[],
    isPart: boolean,
    { inline, edits, by }: Deployment,
    notes: string[],
  ): SourceFile[] {
    if (inline === undefined) return files.map((file) => withMoreEdits(file, edits));
    const { sources, notes: built } = this.kustomizations.buildLoose(files, {
      fields: inline,
      isPart,
      by: by.definition,
    });
    notes.push(...built);
    return sources.map((source) => withMoreEdits(source, edits));
  }
}

/** The file with edits after its own. */
export function withMoreEdits(file: SourceFile, edits: DeployedPath['edits']): SourceFile {
  return edits.length === 0 ? file : { ...file, edit: chained([...(file.edit ? [file.edit] : []), ...edits]) };
}

export function isBelow(folder: string, outer: string): boolean {
  return folder === outer || outer === '.' || folder.startsWith(`${outer}/`);
}
