import { join } from 'path';
import { Accumulated, UnmatchedEntry } from './accumulated';
import { BuildFiles, FileAccess, isRemote, pathFrom } from './build-files';
import { addHashes } from './changes/generators';
import { fixNameReferences } from './changes/name-references';
import { markVariables, replaceVariables } from './changes/variables';
import { InlineBuild, InlineFields, withInlineFields } from './inline-fields';
import { Kustomization, KUSTOMIZATION_NAMES, readKustomization } from './kustomization-file';
import { NotFollowed, KustomizeRefusal } from './refusal';
import { inPrintedOrder } from './resources/legacy-order';
import { documentsOf, resourcesOf } from './resources/read-resources';
import { Resource } from './resources/resource';
import { KustTarget } from './target';
import { FieldPath, SourceFile } from '../../../model';

const MOST_OBJECTS = 20_000;
const MOST_KUSTOMIZATIONS = 5_000;
const MOST_LEVELS = 100;

/** What a kustomization builds. */
export interface Built {
  /** In the order of `kustomize build`. */
  readonly resources: readonly Resource[];
  /** The files that the objects come from; `source.use` of a resource is an index. */
  readonly uses: readonly SourceFile[];
  /** Parts that are not in the build, such as charts. */
  readonly missing: readonly string[];
  /** URLs of bases that are not in the build. */
  readonly remote: readonly string[];
  /** Patches that change nothing. */
  readonly unmatched: readonly UnmatchedEntry[];
}

/** Where a kustomization is in the tree: the folders around it, the innermost last. */
type Chain = readonly string[];

/** Builds kustomizations from files, as `kustomize build` does without a network and programs. */
export class KustomizeBuild {
  private readonly files: BuildFiles;
  private readonly accumulatedByFolder = new Map<
    string,
    { readonly result: Accumulated; readonly folders: Set<string> }
  >();
  private readonly uses: SourceFile[] = [];
  private targets = 0;

  /** @param files by their normal path */
  public constructor(files: ReadonlyMap<string, SourceFile>, access: FileAccess = {}) {
    this.files = new BuildFiles(files, access);
  }

  /**
   * @param inline fields that are added to the kustomization of the folder
   * @throws Refusal if kustomize refuses to build the folder
   * @throws NotFollowed if it uses something that is not followed here
   */
  public build(folder: string, inline?: InlineBuild): Built {
    this.targets = 0;
    const result = inline ? this.accumulatedWith(folder, inline) : this.accumulated(folder, []).result;
    const { list, config, variables } = result;
    const { file, kustomization } = this.load(folder);
    return inFile(file, [], () => {
      addHashes(list.all);
      fixNameReferences(list.all, config.nameReference);
      replaceVariables(list.all, variables, config.varReference, result.isIncomplete);
      const kept = list.all.filter((resource) => !isLocal(resource));
      for (const resource of kept) resource.validate();
      return {
        resources: inPrintedOrder(kept, kustomization.sortOptions),
        uses: this.uses,
        missing: [...result.missing],
        remote: [...result.remote],
        unmatched: result.unmatched,
      };
    });
  }

  /** What a kustomization collects: a new copy each time. */
  private accumulated(folder: string, chain: Chain): { readonly result: Accumulated; readonly folders: Set<string> } {
    const known = this.accumulatedByFolder.get(folder) ?? this.accumulate(folder, chain);
    for (const inner of known.folders) checkCycle(inner, chain);
    this.accumulatedByFolder.set(folder, known);
    const uses = new Map<number, number>();
    const copied = known.result.list.all.map((resource) => resource.copy(this.copiedSource(resource, uses)));
    return { result: Accumulated.copyOf(known.result, copied), folders: known.folders };
  }

  /** What the kustomization collects with inline fields. A part of more objects is changed after its own build. */
  private accumulatedWith(folder: string, { fields, isPart = false }: InlineBuild): Accumulated {
    if (!isPart) return this.accumulate(folder, [], fields).result;
    if (fields.components?.length) throw new NotFollowed('components of a Kustomization of Flux beside other files');
    const { result } = this.accumulated(folder, []);
    result.isPart = true;
    new KustTarget(folder, fields, this.files, (_, run) => run(), fields).transform(result);
    return result;
  }

  private accumulate(
    folder: string,
    chain: Chain,
    inline?: InlineFields,
  ): { readonly result: Accumulated; readonly folders: Set<string> } {
    const result = new Accumulated();
    const folders = new Set([folder]);
    this.run(folder, chain, result, folders, false, inline);
    return { result, folders };
  }

  private copiedSource({ source }: Resource, uses: Map<number, number>): Resource['source'] {
    if (!source) return undefined;
    const use = uses.get(source.use) ?? this.uses.push(this.uses[source.use]) - 1;
    uses.set(source.use, use);
    return { ...source, use };
  }

  private load(folder: string): { readonly file: SourceFile; readonly kustomization: Kustomization } {
    const found = KUSTOMIZATION_NAMES.flatMap((name) => this.files.find(folder, name) ?? []);
    if (found.length > 1) throw new KustomizeRefusal(`Found multiple kustomization files under: ${folder}`);
    const [file] = found;
    if (!file)
      throw new KustomizeRefusal(
        `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${folder}'`,
      );
    return { file, kustomization: readKustomization(file) };
  }

  /** Adds to what is collected, and changes it. */
  private run(
    folder: string,
    chain: Chain,
    accumulated: Accumulated,
    folders: Set<string>,
    isComponent: boolean,
    inline?: InlineFields,
  ): void {
    if (++this.targets > MOST_KUSTOMIZATIONS) throw new NotFollowed(`more than ${MOST_KUSTOMIZATIONS} kustomizations`);
    if (chain.length > MOST_LEVELS) throw new NotFollowed(`more than ${MOST_LEVELS} levels of kustomizations`);
    const { file, kustomization: own } = this.load(folder);
    const kustomization = inline ? withInlineFields(own, inline) : own;
    const at = <T>(field: FieldPath, run: () => T): T => inFile(file, field, run);
    // kustomize builds a component that is named itself.
    if (chain.length > 0 && (kustomization.kind === 'Component') !== isComponent)
      throw new KustomizeRefusal(
        isComponent
          ? `expected kind 'Component' for path '${folder}' but got '${kustomization.kind ?? 'Kustomization'}'`
          : `expected kind != 'Component' for path '${folder}'`,
      ).in({ file: file.path, field: ['kind'] });
    checkFollowed(kustomization);
    const target = new KustTarget(folder, kustomization, this.files, at, inline);
    const inner = [...chain, folder];
    for (const [index, path] of (kustomization.resources ?? []).entries())
      at(['resources', index], () => this.addResource(folder, path, inner, accumulated, folders));
    for (const [count, what] of partsNotBuilt(kustomization))
      if (count > 0) accumulated.missing.add(`${what} of ${folder}`);
    target.configure(accumulated);
    target.generate(accumulated);
    for (const [index, path] of (kustomization.components ?? []).entries())
      at(['components', index], () => this.addComponent(folder, path, inner, accumulated, folders));
    target.transform(accumulated);
    const { vars = [] } = kustomization;
    at(['vars'], () => {
      markVariables(accumulated.list, vars);
      accumulated.addVariables(vars);
    });
    if (accumulated.list.all.length > MOST_OBJECTS) throw new NotFollowed(`more than ${MOST_OBJECTS} objects`);
  }

  private addResource(
    folder: string,
    path: string,
    chain: Chain,
    accumulated: Accumulated,
    folders: Set<string>,
  ): void {
    if (isRemote(path)) return accumulated.addRemote(path);
    const file = this.files.find(folder, path);
    if (file) {
      this.files.check(folder, path);
      const use = this.uses.push(file) - 1;
      accumulated.list.append(resourcesOf(documentsOf(file), use));
      return;
    }
    const inner = pathFrom(folder, path);
    if (path === '') throw new KustomizeRefusal('new root cannot be empty');
    if (!this.files.hasFolder(inner)) {
      if (!this.files.isLeftOut(inner)) throw this.files.missing(folder, path);
      accumulated.missing.add(`${path}, which is not in the input`);
      return;
    }
    checkCycle(inner, chain);
    const { result, folders: visited } = this.accumulated(inner, chain);
    for (const each of visited) folders.add(each);
    accumulated.merge(result);
  }

  private addComponent(
    folder: string,
    path: string,
    chain: Chain,
    accumulated: Accumulated,
    folders: Set<string>,
  ): void {
    if (isRemote(path)) return accumulated.addRemote(path);
    const inner = pathFrom(folder, path);
    if (!this.files.hasFolder(inner) || this.files.find(folder, path)) {
      if (!this.files.isLeftOut(inner)) throw this.files.missing(folder, path);
      throw new NotFollowed(`${path}, which is not in the input`);
    }
    checkCycle(inner, chain);
    folders.add(inner);
    this.run(inner, chain, accumulated, folders, true);
    accumulated.list.dropEmptyAndCheckIds();
  }
}

/** Runs something, and adds the place to a reason of kustomize. */
function inFile<T>(file: SourceFile, field: FieldPath, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof KustomizeRefusal ? error.in({ file: file.path, field }) : error;
  }
}

/** @throws Refusal if a folder leads to itself, or to a folder around it */
function checkCycle(candidate: string, chain: Chain): void {
  const visited = chain.find(
    (folder) => folder === candidate || candidate === '.' || folder.startsWith(join(candidate, '/')),
  );
  if (visited !== undefined)
    throw new KustomizeRefusal(`cycle detected: candidate root '${candidate}' contains visited root '${visited}'`);
}

/** @throws NotFollowed if fields change objects in ways that are not followed */
function checkFollowed({ transformers = [], crds = [], openapi }: Kustomization): void {
  if (transformers.length > 0) throw new NotFollowed('transformers');
  if (crds.length > 0) throw new NotFollowed('crds');
  if (openapi && Object.keys(openapi).length > 0) throw new NotFollowed('openapi');
}

function partsNotBuilt({
  helmCharts = [],
  helmChartInflationGenerator = [],
  generators = [],
  validators = [],
}: Kustomization): ReadonlyArray<readonly [count: number, what: string]> {
  return [
    [helmCharts.length, 'helmCharts'],
    [helmChartInflationGenerator.length, 'helmChartInflationGenerator'],
    [generators.length, 'generators'],
    [validators.length, 'validators'],
  ];
}

/** Objects that only kustomize uses are no part of the result. */
function isLocal(resource: Resource): boolean {
  const local = resource.annotations.get('config.kubernetes.io/local-config');
  return local !== undefined && local !== 'false';
}
