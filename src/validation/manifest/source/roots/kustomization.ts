import { basename, dirname, join, normalize } from 'path';
import { findUnreadable, SourceText } from '../source-text';
import { DeployedBuild, deployerOf, looseBuild, refusedDeployer } from './inline-build';
import { Built, KustomizeBuild } from './kustomize/build';
import { FileAccess, isRemote } from './kustomize/build-files';
import { BuiltFiles } from './kustomize/built-files';
import { KUSTOMIZATION_NAMES, MISNAMED_KUSTOMIZATION } from './kustomize/kustomization-file';
import { NotFollowed, KustomizeRefusal, RefusalPlace } from './kustomize/refusal';
import { asRecord, FieldPath } from '../../../../contract';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf, stringsOf } from '../../records';
import { readDocuments } from '../../yaml/documents';

/** What `kustomize build` prints, for a remedy. */
const NO_SUCH_FILE = /no such file|doesn't exist/;
const RENDER_FOLDER = 'render the folder with kubectl kustomize, and pass the result';
const BUILT_BY_PROGRAM = 'built by kustomize';
const MOST_NAMED = 3;

/** The files that a kustomization builds its objects from, with the edits that it makes. */
export interface KustomizationBuild {
  /** If kustomize refuses, only the file with the reason. */
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
  private readonly kustomize: KustomizeBuild;
  private readonly built = new Map<string, KustomizationBuild>();

  /**
   * @param runKustomize for what is not followed here. Without it, and without its result, that part is left out
   * @param exists whether there is a file that is not among the files; by default, any file may be left out
   */
  public constructor(
    files: readonly SourceFile[],
    private readonly runKustomize?: RunKustomize,
    private readonly exists: FileAccess['exists'] = () => true,
  ) {
    this.files = new Map(files.map((file) => [normalize(file.path), file]));
    this.byFolder = new Map(
      [...this.files]
        .filter(([path]) => [...KUSTOMIZATION_NAMES, MISNAMED_KUSTOMIZATION].includes(basename(path)))
        .map(([path, file]) => [dirname(path), asRecord(valuesOf(file)[0]) ?? {}] as const)
        .filter(([, content]) => isBuildFile(content)),
    );
    // Flux reads files above the folder of a kustomization, and `kustomize build` does not.
    const isRestricted = !files.some(({ text }) => text.includes('kustomize.toolkit.fluxcd.io/'));
    this.kustomize = new KustomizeBuild(this.files, { exists, isRestricted });
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
        ...[...KUSTOMIZATION_NAMES, MISNAMED_KUSTOMIZATION].map((name) => normalize(join(folder, name))),
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

  /**
   * What a kustomization builds. The program is run only if a part cannot be followed.
   *
   * @param inline fields of the object that deploys the folder
   */
  public build(folder: string, inline?: DeployedBuild): KustomizationBuild {
    const key = inline ? JSON.stringify([folder, inline.fields, inline.isPart, inline.by.object]) : folder;
    const known = this.built.get(key);
    if (known) return known;
    const build = inline ? this.buildInline(folder, inline) : this.buildOnce(folder);
    this.built.set(key, build);
    return build;
  }

  /** What Flux makes of files in a folder without a kustomization. */
  public buildLoose(files: readonly SourceFile[], inline: DeployedBuild): KustomizationBuild {
    return looseBuild(files, inline, { exists: this.exists });
  }

  private buildInline(folder: string, inline: DeployedBuild): KustomizationBuild {
    const own = this.build(folder);
    const isRefused = own.sources.some(({ unreadable }) => unreadable !== undefined);
    if (isRefused) return own;
    const isByProgram = own.notes.includes(BUILT_BY_PROGRAM);
    if (isByProgram) {
      const { sources, notes } = this.buildLoose(own.sources, { ...inline, isPart: true });
      return { sources, notes: [...own.notes, ...notes] };
    }
    try {
      const { sources } = new BuiltFiles(this.kustomize.build(folder, inline), inline.by);
      const patches = this.patchesReachedBy(folder);
      return {
        sources: sources.map((source) => (patches.length === 0 ? source : { ...source, patches })),
        notes: own.notes,
      };
    } catch (error) {
      if (error instanceof KustomizeRefusal)
        return { sources: [refusedDeployer(inline.by, folder, error.message)], notes: [] };
      if (!(error instanceof NotFollowed)) throw error;
      return {
        sources: own.sources,
        notes: [...own.notes, `without the changes of ${deployerOf(inline.by)}: ${error.message}`],
      };
    }
  }

  private buildOnce(folder: string): KustomizationBuild {
    try {
      const built = this.kustomize.build(folder);
      const patches = this.patchesReachedBy(folder);
      const sources = new BuiltFiles(built).sources.map((source) =>
        patches.length === 0 ? source : { ...source, patches },
      );
      const notes = notesOn(built);
      return notes.length === 0 ? { sources, notes } : this.orByProgram(folder, { sources, notes }, built.missing);
    } catch (error) {
      const own: KustomizationBuild = { sources: [this.problemOf(error, folder)], notes: [] };
      const build = this.orByProgram(folder, own, []);
      // The reason of the refusal is known, whether or not the program is run.
      return error instanceof KustomizeRefusal && !build.notes.includes(BUILT_BY_PROGRAM) ? own : build;
    }
  }

  /** The output of kustomize if it runs; otherwise our own build, with the reason. */
  private orByProgram(folder: string, own: KustomizationBuild, missing: readonly string[]): KustomizationBuild {
    const hasCharts = missing.some((part) => part.startsWith('helmChart'));
    const result = this.runKustomize?.(folder, hasCharts);
    if (result === undefined) return own;
    const isRefused = own.sources.some(({ unreadable }) => unreadable !== undefined);
    if ('problem' in result) {
      // The reason why kustomize fails is that of the own build; that it is not run is another fact.
      const isSameReason =
        / failed: /.test(result.problem) && (isRefused || (missing.length > 0 && NO_SUCH_FILE.test(result.problem)));
      return isSameReason ? own : { ...own, notes: [...own.notes, result.problem] };
    }
    return {
      sources: [{ path: `${folder} (kustomize build)`, text: result.text, isFound: true }],
      notes: [BUILT_BY_PROGRAM],
    };
  }

  /** The file of the reason why there are no objects, which cannot be read. */
  private problemOf(error: unknown, folder: string): SourceFile {
    if (error instanceof NotFollowed)
      return this.unreadable(undefined, folder, `not read: the kustomization uses ${error.message}`, RENDER_FOLDER);
    if (!(error instanceof KustomizeRefusal)) throw error;
    const isMisnamed = this.files.has(normalize(join(folder, MISNAMED_KUSTOMIZATION)));
    const { message, advice, place } = error;
    const remedy = isMisnamed
      ? `rename the file to ${KUSTOMIZATION_NAMES[0]}`
      : (advice?.remedy ?? 'correct it until kubectl kustomize builds the folder');
    const file = this.unreadable(place, folder, `kustomize refuses to build ${folder}: ${message}`, remedy);
    return advice ? { ...file, unreadable: { ...file.unreadable!, isMisspelt: true } } : file;
  }

  private unreadable(place: RefusalPlace | undefined, folder: string, message: string, remedy: string): SourceFile {
    const own = [...KUSTOMIZATION_NAMES, MISNAMED_KUSTOMIZATION].map((name) => normalize(join(folder, name)));
    const path = [...(place ? [normalize(place.file)] : []), ...own].find((each) => this.files.has(each));
    const file = (path === undefined ? undefined : this.files.get(path)) ?? { path: folder, text: '' };
    const offset = offsetOf(file, place?.field ?? []);
    return {
      path: file.path,
      text: file.text,
      isFound: false,
      unreadable: { message, remedy, offset, isRefused: true },
    };
  }

  /** The files that a kustomization and its bases name, whether or not it can be built. */
  public filesReachedBy(folder: string): SourceFile[] {
    return this.pathsReachedBy(folder).flatMap((path) => this.files.get(path) ?? []);
  }

  /** Whether a kustomization or one of its bases uses objects that are not in the input, such as those of charts. */
  public hasPartsElsewhere(folder: string): boolean {
    return this.pathsReachedBy(folder).some((path) => {
      const content = this.byFolder.get(path);
      return content !== undefined && hasPartsElsewhere(content);
    });
  }

  /** Whether a kustomization or one of its bases names a resource that is not in the input. */
  public lacksFiles(folder: string): boolean {
    return this.pathsReachedBy(folder).some((path) => !this.files.has(path) && !this.byFolder.has(path));
  }

  /** Files with patches. Those of the kustomization itself are before those of its bases, which it may overwrite. */
  private patchesReachedBy(folder: string): SourceFile[] {
    return this.pathsReachedBy(folder).flatMap((path) => {
      const { patches, patchesStrategicMerge } = this.byFolder.get(path) ?? {};
      const named = [...stringsOf(patchesStrategicMerge), ...recordsOf(patches).map((patch) => patch.path)];
      return stringsOf(named)
        .reverse()
        .flatMap((name) => this.files.get(normalize(join(path, name))) ?? []);
    });
  }

  private pathsReachedBy(folder: string): string[] {
    const reached = new Set([folder]);
    for (const path of reached) {
      const content = this.byFolder.get(path);
      if (content) for (const name of foldersOf(content)) reached.add(normalize(join(path, name)));
    }
    return [...reached];
  }
}

function notesOn({ missing, remote }: Built): string[] {
  const notes = missing.map((part) => `not built: ${part}`);
  if (remote.length === 0) return notes;
  const named = remote.slice(0, MOST_NAMED).join(', ');
  const more = remote.length > MOST_NAMED ? `, and ${remote.length - MOST_NAMED} more` : '';
  return [
    ...notes,
    `not built: ${remote.length === 1 ? 'a remote base' : `${remote.length} remote bases`} (${named}${more})`,
  ];
}

/** The kustomization of Flux has the same kind, and is an object of the cluster. */
function isBuildFile({ apiVersion, kind }: PlainRecord): boolean {
  return (
    (kind === undefined || kind === 'Kustomization' || kind === 'Component') &&
    (apiVersion === undefined || (typeof apiVersion === 'string' && apiVersion.startsWith('kustomize.config.k8s.io/')))
  );
}

function resourcesOf({ resources, bases }: PlainRecord): string[] {
  return [...stringsOf(resources), ...stringsOf(bases)].filter((name) => !isRemote(name));
}

function foldersOf(content: PlainRecord): string[] {
  return [...resourcesOf(content), ...stringsOf(content.components)];
}

function hasPartsElsewhere(content: PlainRecord): boolean {
  const named = [content.resources, content.bases, content.components].flatMap(stringsOf);
  return (
    named.some(isRemote) || ['helmCharts', 'helmChartInflationGenerator', 'generators'].some((key) => key in content)
  );
}

function filesOf(content: PlainRecord): string[] {
  const { patches, patchesJson6902, replacements } = content;
  const patchFiles = [patches, patchesJson6902, replacements].flatMap((entries) =>
    recordsOf(entries).map(({ path }) => path),
  );
  const generated = [...recordsOf(content.configMapGenerator), ...recordsOf(content.secretGenerator)].flatMap(
    ({ files, envs }) => [...stringsOf(files).map((file) => file.slice(file.indexOf('=') + 1)), ...stringsOf(envs)],
  );
  const named = [patchFiles, content.patchesStrategicMerge, content.configurations].flatMap(stringsOf);
  return [...resourcesOf(content), ...named, ...generated];
}

function offsetOf(file: SourceFile, field: FieldPath): number {
  if (findUnreadable(file)) return 0;
  const [document] = readDocuments(new SourceText(file)).documents;
  return document === undefined || field.length === 0 ? 0 : document.offsetOf(field);
}

/** The values of all documents of a text; none if it cannot be read. */
export function parseDocuments(text: string): readonly unknown[] {
  return valuesOf({ path: '', text });
}

function valuesOf(file: SourceFile): readonly unknown[] {
  return findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents.map(({ value }) => value);
}
