import { basename, dirname, join, normalize } from 'path';
import { Edit, editsOf } from './kustomization-edits';
import { asRecord } from '../../../../contract';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf, stringsOf } from '../../records';
import { readDocuments } from '../../yaml/documents';
import { findUnreadable, SourceText } from '../source-text';

export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Fields that make objects or change them in ways that are not followed. */
const NOT_FOLLOWED = ['helmCharts', 'helmChartInflationGenerator', 'replacements', 'vars', 'transformers', 'generators', 'openapi'];
const MAX_DEPTH = 20;

/** The files that a kustomization builds its objects from, with the edits that it makes. */
export interface KustomizationBuild {
  readonly sources: readonly SourceFile[];
  /** Parts that are not in the build, such as remote resources. */
  readonly missing: readonly string[];
}

/** All kustomizations among the files. */
export class Kustomizations {
  private readonly files: ReadonlyMap<string, SourceFile>;
  private readonly byFolder: ReadonlyMap<string, PlainRecord>;

  public constructor(files: readonly SourceFile[]) {
    this.files = new Map(files.map((file) => [normalize(file.path), file]));
    this.byFolder = new Map([...this.files].filter(([path]) => KUSTOMIZATION_NAMES.includes(basename(path)))
      .map(([path, file]) => [dirname(path), asRecord(valuesOf(file)[0]) ?? {}] as const)
      .filter(([, content]) => isBuildFile(content)));
  }

  /** Folders whose kustomization no other kustomization uses. */
  public get rootFolders(): string[] {
    const used = new Set([...this.byFolder].flatMap(([folder, content]) => foldersOf(content).map((name) => normalize(join(folder, name)))));
    return [...this.byFolder].filter(([folder, { kind }]) => !used.has(folder) && kind !== 'Component').map(([folder]) => folder).sort();
  }

  /** Files that kustomizations use, and the kustomizations themselves. */
  public get usedFiles(): ReadonlySet<string> {
    return new Set([...this.byFolder].flatMap(([folder, content]) => [
      ...KUSTOMIZATION_NAMES.map((name) => normalize(join(folder, name))),
      ...filesOf(content).map((name) => normalize(join(folder, name))),
    ]));
  }

  public build(folder: string): KustomizationBuild {
    const missing: string[] = [];
    return { sources: this.sourcesOf(folder, [], missing, 0), missing: [...new Set(missing)] };
  }

  private sourcesOf(folder: string, outer: readonly Edit[], missing: string[], depth: number): SourceFile[] {
    const content = this.byFolder.get(folder);
    if (!content || depth > MAX_DEPTH) return [];
    missing.push(...NOT_FOLLOWED.filter((field) => content[field] !== undefined).map((field) => `${field} of ${folder}`));
    const components = stringsOf(content.components).map((name) => normalize(join(folder, name)));
    const own = editsOf(content, (path) => this.documentsOf(join(folder, path)), (text) => valuesOf({ path: folder, text }));
    // A component edits everything that its user has collected, before the user's own edits.
    const edits = [...components.flatMap((component) => this.editsOfComponent(component)), ...own, ...outer];
    const resources = resourcesOf(content).flatMap((name) => this.resource(folder, name, edits, missing, depth));
    return [...resources, ...components.flatMap((component) => this.sourcesOf(component, [...own, ...outer], missing, depth + 1))];
  }

  private editsOfComponent(folder: string): Edit[] {
    const content = this.byFolder.get(folder);
    return content ? editsOf(content, (path) => this.documentsOf(join(folder, path)), (text) => valuesOf({ path: folder, text })) : [];
  }

  private resource(folder: string, name: string, edits: readonly Edit[], missing: string[], depth: number): SourceFile[] {
    const path = normalize(join(folder, name));
    if (this.byFolder.has(path)) return this.sourcesOf(path, edits, missing, depth + 1);
    const file = this.files.get(path);
    if (!file) {
      missing.push(name);
      return [];
    }
    return [{ ...file, isFound: false, edit: chained(edits) }];
  }

  private documentsOf(path: string): readonly unknown[] {
    const file = this.files.get(normalize(path));
    return file ? valuesOf(file) : [];
  }
}

function chained(edits: readonly Edit[]): Edit {
  return (object) => edits.reduce<PlainRecord | undefined>((edited, edit) => edited && edit(edited), object);
}

/** The kustomization of Flux has the same kind, and is an object of the cluster. */
function isBuildFile({ apiVersion, kind }: PlainRecord): boolean {
  return (kind === undefined || kind === 'Kustomization' || kind === 'Component')
    && (apiVersion === undefined || String(apiVersion).startsWith('kustomize.config.k8s.io/'));
}

function resourcesOf({ resources, bases }: PlainRecord): string[] {
  return [...stringsOf(resources), ...stringsOf(bases)];
}

function foldersOf(content: PlainRecord): string[] {
  return [...resourcesOf(content), ...stringsOf(content.components)];
}

function filesOf(content: PlainRecord): string[] {
  const { patches = [], patchesJson6902 = [], replacements = [] } = content;
  const patchFiles = [patches, patchesJson6902, replacements].flatMap(recordsOf).map(({ path }) => path);
  const generated = [...recordsOf(content.configMapGenerator), ...recordsOf(content.secretGenerator)]
    .flatMap(({ files, envs }) => [...stringsOf(files).map((file) => file.slice(file.indexOf('=') + 1)), ...stringsOf(envs)]);
  const named = [patchFiles, content.patchesStrategicMerge, content.configurations].flatMap(stringsOf);
  return [...resourcesOf(content), ...named, ...generated];
}

function valuesOf(file: SourceFile): readonly unknown[] {
  return findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents.map(({ value }) => value);
}
