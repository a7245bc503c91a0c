import { basename, dirname, join, normalize } from 'path';
import { chained, Edit, editsOf } from './kustomization-edits';
import { asRecord } from '../../../../contract';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf, stringsOf } from '../../records';
import { readDocuments } from '../../yaml/documents';
import { findUnreadable, SourceText } from '../source-text';

export const KUSTOMIZATION_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Fields that make objects or change them in ways that are not followed. */
const NOT_FOLLOWED = [
  'helmCharts',
  'helmChartInflationGenerator',
  'replacements',
  'vars',
  'transformers',
  'generators',
  'openapi',
];
const MAX_DEPTH = 20;

/** The files that a kustomization builds its objects from, with the edits that it makes. */
export interface KustomizationBuild {
  readonly sources: readonly SourceFile[];
  /** Sentences on parts that are not in the build, such as remote resources, or on the program that has built it. */
  readonly notes: readonly string[];
}

/** Builds a folder with the kustomize of this machine: its output, or why there is none. */
export type RunKustomize = (
  folder: string,
  hasCharts: boolean,
) => { readonly text: string } | { readonly problem: string } | undefined;

/** All kustomizations among the files. */
export class Kustomizations {
  private readonly files: ReadonlyMap<string, SourceFile>;
  private readonly byFolder: ReadonlyMap<string, PlainRecord>;

  /** @param runKustomize for what is not followed here. Without it, and without its result, that part is left out. */
  public constructor(
    files: readonly SourceFile[],
    private readonly runKustomize?: RunKustomize,
  ) {
    this.files = new Map(files.map((file) => [normalize(file.path), file]));
    this.byFolder = new Map(
      [...this.files]
        .filter(([path]) => KUSTOMIZATION_NAMES.includes(basename(path)))
        .map(([path, file]) => [dirname(path), asRecord(valuesOf(file)[0]) ?? {}] as const)
        .filter(([, content]) => isBuildFile(content)),
    );
  }

  /** Folders whose kustomization no other kustomization uses. */
  public get rootFolders(): string[] {
    const used = new Set(
      [...this.byFolder].flatMap(([folder, content]) =>
        foldersOf(content).map((name) => normalize(join(folder, name))),
      ),
    );
    return [...this.byFolder]
      .filter(([folder, { kind }]) => !used.has(folder) && kind !== 'Component')
      .map(([folder]) => folder)
      .sort();
  }

  /** Files that kustomizations use, and the kustomizations themselves. */
  public get usedFiles(): ReadonlySet<string> {
    return new Set(
      [...this.byFolder].flatMap(([folder, content]) => [
        ...KUSTOMIZATION_NAMES.map((name) => normalize(join(folder, name))),
        ...filesOf(content).map((name) => normalize(join(folder, name))),
      ]),
    );
  }

  public has(folder: string): boolean {
    return this.byFolder.has(folder);
  }

  /** Kustomizations in a folder, at any depth, except inside another one. */
  public foldersBelow(folder: string): string[] {
    const below = [...this.byFolder.keys()]
      .filter((inner) => (folder === '.' ? inner !== '.' : inner.startsWith(`${folder}/`)))
      .sort();
    return below.filter((inner) => !below.some((other) => inner.startsWith(`${other}/`)));
  }

  /** What a kustomization builds. The program is run only if a part cannot be followed. */
  public build(folder: string): KustomizationBuild {
    const missing: string[] = [];
    const sources = this.sourcesOf(folder, [], missing, 0);
    const notes = [...new Set(missing)].map((part) => `not built: ${part}`);
    const hasCharts = missing.some((part) => part.startsWith('helmChart'));
    const result = missing.length === 0 ? undefined : this.runKustomize?.(folder, hasCharts);
    if (result === undefined) return { sources, notes };
    if ('problem' in result) return { sources, notes: [...notes, result.problem] };
    return {
      sources: [{ path: `${folder} (kustomize build)`, text: result.text, isFound: true }],
      notes: ['built by kustomize'],
    };
  }

  private sourcesOf(folder: string, outer: readonly Edit[], missing: string[], depth: number): SourceFile[] {
    const content = this.byFolder.get(folder);
    if (!content || depth > MAX_DEPTH) return [];
    missing.push(
      ...NOT_FOLLOWED.filter((field) => content[field] !== undefined).map((field) => `${field} of ${folder}`),
    );
    missing.push(...stringsOf(content.components).filter((name) => !this.byFolder.has(normalize(join(folder, name)))));
    const components = stringsOf(content.components).map((name) => normalize(join(folder, name)));
    const own = editsOf(
      content,
      (path) => this.documentsOf(join(folder, path)),
      (text) => valuesOf({ path: folder, text }),
    );
    // A component edits everything that its user has collected, before the user's own edits.
    const edits = [...components.flatMap((component) => this.editsOfComponent(component)), ...own, ...outer];
    const resources = resourcesOf(content).flatMap((name) => this.resource(folder, name, edits, missing, depth));
    return [
      ...resources,
      ...components.flatMap((component) => this.sourcesOf(component, [...own, ...outer], missing, depth + 1)),
    ];
  }

  private editsOfComponent(folder: string): Edit[] {
    const content = this.byFolder.get(folder);
    return content
      ? editsOf(
          content,
          (path) => this.documentsOf(join(folder, path)),
          (text) => valuesOf({ path: folder, text }),
        )
      : [];
  }

  private resource(
    folder: string,
    name: string,
    edits: readonly Edit[],
    missing: string[],
    depth: number,
  ): SourceFile[] {
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

/** The kustomization of Flux has the same kind, and is an object of the cluster. */
function isBuildFile({ apiVersion, kind }: PlainRecord): boolean {
  return (
    (kind === undefined || kind === 'Kustomization' || kind === 'Component') &&
    (apiVersion === undefined || String(apiVersion).startsWith('kustomize.config.k8s.io/'))
  );
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
  const generated = [...recordsOf(content.configMapGenerator), ...recordsOf(content.secretGenerator)].flatMap(
    ({ files, envs }) => [...stringsOf(files).map((file) => file.slice(file.indexOf('=') + 1)), ...stringsOf(envs)],
  );
  const named = [patchFiles, content.patchesStrategicMerge, content.configurations].flatMap(stringsOf);
  return [...resourcesOf(content), ...named, ...generated];
}

/** The values of all documents of a text; none if it cannot be read. */
export function parseDocuments(text: string): readonly unknown[] {
  return valuesOf({ path: '', text });
}

function valuesOf(file: SourceFile): readonly unknown[] {
  return findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents.map(({ value }) => value);
}
