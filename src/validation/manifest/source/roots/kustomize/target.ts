import { Accumulated } from './accumulated';
import { BuildFiles, isRemote } from './build-files';
import { generated } from './changes/generators';
import { changeImages } from './changes/images';
import { operationsOf } from './changes/json-patch';
import { addAffix, setEntries, setNamespace } from './changes/names';
import { applyMerges, applyOperations, applyPatch, readPatch } from './changes/patches';
import { notingReplacedLists, PatchPlace } from './changes/replaced-lists';
import { applyReplacement, FieldReplacement } from './changes/replacements';
import { setReplicas } from './changes/replicas';
import { Selector, SelectorFields } from './changes/selector';
import { notingProtection, ProtectionPlace } from './changes/spread-protection';
import { mergedConfig, mergedSpecs, TransformerConfig } from './changes/transformer-config';
import { unmatchedImage, unmatchedTarget } from './changes/unmatched-target';
import { InlineFields } from './inline-fields';
import { FIELD_SPEC, decoded, REPLACEMENT_TYPE } from './kustomization-fields';
import { Kustomization, KUSTOMIZATION_NAMES, PatchEntry } from './kustomization-file';
import { KustomizeRefusal } from './refusal';
import { documentValues, resourcesOf } from './resources/read-resources';
import { isFields } from './values';
import { DO_NOT_DISRUPT } from '../../../../../contract';
import { FieldPath, SourceFile } from '../../../model';

/** Comparing a target with the names of all objects takes long. */
const MOST_COMPARED = 100;

/** One kustomization: makes its generated objects, and changes all objects that it has collected. */
export class KustTarget {
  /** @param inline the fields of the kustomization that its file does not have */
  public constructor(
    private readonly folder: string,
    private readonly kustomization: Kustomization,
    private readonly files: BuildFiles,
    private readonly at: <T>(field: FieldPath, run: () => T) => T,
    private readonly inline: InlineFields = {},
  ) {}

  public configure(accumulated: Accumulated): void {
    for (const [index, path] of (this.kustomization.configurations ?? []).entries()) {
      this.at(['configurations', index], () => {
        for (const document of this.documents(path))
          accumulated.config = mergedConfig(accumulated.config, configOf(document));
      });
    }
  }

  public generate(accumulated: Accumulated): void {
    const { configMapGenerator = [], secretGenerator = [], generatorOptions = {} } = this.kustomization;
    const read = (path: string) => this.files.text(this.folder, path);
    for (const [field, kind, generators] of [
      ['configMapGenerator', 'ConfigMap', configMapGenerator],
      ['secretGenerator', 'Secret', secretGenerator],
    ] as const)
      for (const [index, generator] of generators.entries())
        this.at([field, index], () => accumulated.list.absorb(generated(kind, generator, generatorOptions, read)));
  }

  /** Makes all changes, in the order of kustomize. */
  public transform(accumulated: Accumulated): void {
    const { kustomization } = this;
    this.mergePatches(accumulated);
    for (const [index, entry] of (kustomization.patches ?? []).entries())
      this.step(accumulated, ['patches', index], () => this.patchNotingProtection(accumulated, entry, index));
    const { list, config } = accumulated;
    const { namespace } = kustomization;
    if (namespace) this.step(accumulated, ['namespace'], () => setNamespace(list.all, namespace, config.namespace));
    this.rename(accumulated, 'namePrefix', 'prefixes');
    this.rename(accumulated, 'nameSuffix', 'suffixes');
    this.label(accumulated);
    for (const [index, entry] of (kustomization.patchesJson6902 ?? []).entries())
      this.step(accumulated, ['patchesJson6902', index], () => this.patchJson(accumulated, entry, index));
    for (const [index, entry] of (kustomization.replicas ?? []).entries())
      this.step(accumulated, ['replicas', index], () =>
        setReplicas(list, entry, config.replicas, accumulated.isIncomplete),
      );
    for (const [index, entry] of (kustomization.images ?? []).entries())
      this.step(accumulated, ['images', index], () => {
        const unchanged = changeImages(list.all, entry, config.images);
        if (unchanged) this.noteImage(accumulated, entry.name ?? '', unchanged, index);
      });
    for (const [index, entry] of (kustomization.replacements ?? []).entries())
      this.step(accumulated, ['replacements', index], () => {
        for (const replacement of this.replacementsOf(entry)) {
          // The places of a file of replacements are not kept.
          if (entry.path === undefined) this.noteReplacement(accumulated, replacement, index);
          applyReplacement(list.all, replacement, accumulated.isIncomplete);
        }
      });
  }

  private rename(
    accumulated: Accumulated,
    field: 'namePrefix' | 'nameSuffix',
    position: 'prefixes' | 'suffixes',
  ): void {
    const affix = this.kustomization[field];
    if (!affix) return;
    const { list, config } = accumulated;
    const names = new Map(list.all.map((resource) => [resource, resource.name]));
    this.step(accumulated, [field], () => addAffix(list.all, affix, position, config[field]));
    const { file } = this;
    if (file && !this.inline[field])
      for (const [resource, name] of names) if (resource.name !== name) resource.renamedBy = { file, field };
  }

  private step(accumulated: Accumulated, field: FieldPath, change: () => void): void {
    this.at(field, change);
    accumulated.list.dropEmpty();
  }

  private label(accumulated: Accumulated): void {
    const { labels = [], commonLabels, commonAnnotations } = this.kustomization;
    const { list, config } = accumulated;
    for (const [index, { pairs = {}, includeSelectors, includeTemplates, fields = [] }] of labels.entries())
      this.step(accumulated, ['labels', index], () => {
        let specs = mergedSpecs(fields, config.labels);
        if (includeSelectors) {
          specs = mergedSpecs(specs, config.commonLabels);
        } else {
          if (includeTemplates) specs = mergedSpecs(specs, config.templateLabels);
          specs = mergedSpecs(specs, [{ path: 'metadata/labels', create: true }]);
        }
        setEntries(list.all, pairs, specs);
      });
    if (commonLabels)
      this.step(accumulated, ['commonLabels'], () => setEntries(list.all, commonLabels, config.commonLabels));
    if (commonAnnotations)
      this.step(accumulated, ['commonAnnotations'], () =>
        notingProtection(list.all, this.annotationsPlace(), () =>
          setEntries(list.all, commonAnnotations, config.commonAnnotations),
        ),
      );
  }

  /** An entry may be the text of patches, or a path. */
  private mergePatches(accumulated: Accumulated): void {
    for (const [index, entry] of (this.kustomization.patchesStrategicMerge ?? []).entries())
      this.step(accumulated, ['patchesStrategicMerge', index], () => {
        const inline = this.inlineMerges(entry);
        const merges = inline ?? this.fileMerges(accumulated, entry);
        const place = inline ? this.inlinePlace(['patchesStrategicMerge', index]) : this.filePlace(entry);
        notingReplacedLists(
          accumulated.list.all,
          place,
          merges.map(({ fields }) => fields),
          () => applyMerges(accumulated.list, merges, accumulated.isIncomplete),
        );
      });
  }

  private inlineMerges(text: string) {
    try {
      return resourcesOf(documentValues(text));
    } catch (error) {
      if (error instanceof KustomizeRefusal) return undefined;
      throw error;
    }
  }

  private fileMerges(accumulated: Accumulated, path: string) {
    if (!isRemote(path)) return resourcesOf(this.documents(path));
    accumulated.addRemote(path);
    return [];
  }

  private patch(
    accumulated: Accumulated,
    { path = '', patch: untrimmed = '', target, options = {} }: PatchEntry,
    field: FieldPath,
  ): void {
    const patch = untrimmed.trim();
    if (patch === '' && path === '') throw new KustomizeRefusal('must specify one of patch and path');
    if (patch !== '' && path !== '') throw new KustomizeRefusal("patch and path can't be set at the same time");
    if (isRemote(path)) return accumulated.addRemote(path);
    const source = path === '' ? `[patch: ${JSON.stringify(patch)}]` : `[path: ${JSON.stringify(path)}]`;
    const documents = path === '' ? documentValues(patch) : this.documents(path, ['path']);
    const place = path === '' ? this.inlinePlace(field) : this.filePlace(path);
    const { list, isIncomplete } = accumulated;
    notingReplacedLists(list.all, place, documents, () => {
      const isApplied = applyPatch(list, readPatch(documents, source), target, options, source, isIncomplete);
      if (!isApplied && target) this.noteUnmatched(accumulated, target, [...field.slice(0, 2), 'target']);
    });
  }

  /** A patch for one object protects what it is meant for. */
  private patchNotingProtection(accumulated: Accumulated, entry: PatchEntry, index: number): void {
    const { target, path = '' } = entry;
    const apply = () => this.patch(accumulated, entry, ['patches', index, 'patch']);
    const place = path === '' ? this.inlinePlace(['patches', index, 'patch']) : this.filePlace(path);
    if (!target || !place || /^[\w-]+$/.test(target.name ?? '')) return apply();
    notingProtection(accumulated.list.all, { file: place.file, path: place.inline ?? [] }, apply);
  }

  private annotationsPlace(): ProtectionPlace {
    const path = ['commonAnnotations', DO_NOT_DISRUPT];
    const { file } = this;
    return file && this.inline.commonAnnotations?.[DO_NOT_DISRUPT] === undefined ? { file, path } : { path };
  }

  private noteReplacement(accumulated: Accumulated, { targets = [] }: FieldReplacement, index: number): void {
    for (const [position, { select }] of targets.entries()) {
      if (!select || accumulated.list.all.some((resource) => new Selector(select).selects(resource))) continue;
      this.noteUnmatched(accumulated, select, ['replacements', index, 'targets', position, 'select']);
    }
  }

  private noteUnmatched(accumulated: Accumulated, target: SelectorFields, path: FieldPath): void {
    if (accumulated.isIncomplete || accumulated.compared++ >= MOST_COMPARED) return;
    const isComponent = this.kustomization.kind === 'Component';
    const unmatched = unmatchedTarget(accumulated.list.all, target, isComponent);
    const place = this.inlinePlace(path);
    if (unmatched) accumulated.unmatched.push({ ...unmatched, ...(place ? { place } : {}) });
  }

  /** An entry in a component, or of Argo CD and Flux, may be for another kustomization. */
  private noteImage(accumulated: Accumulated, name: string, images: ReadonlySet<string>, index: number): void {
    const { kind } = this.kustomization;
    if (kind === 'Component' || this.inline.images || accumulated.isIncomplete) return;
    const unmatched = unmatchedImage(name, images);
    const place = this.inlinePlace(['images', index]);
    if (unmatched && place) accumulated.unmatched.push({ ...unmatched, place });
  }

  /** Undefined for a patch that the file does not have: inline patches are behind those of the file. */
  private inlinePlace(inline: FieldPath): PatchPlace | undefined {
    const { file } = this;
    const [field, index] = inline;
    const inFile = (this.kustomization.patches?.length ?? 0) - (this.inline.patches?.length ?? 0);
    return field === 'patches' && Number(index) >= inFile ? undefined : file && { file, inline };
  }

  /** The kustomization itself. */
  private get file(): SourceFile | undefined {
    return KUSTOMIZATION_NAMES.flatMap((name) => this.files.find(this.folder, name) ?? [])[0];
  }

  private filePlace(path: string): PatchPlace | undefined {
    const file = this.files.find(this.folder, path);
    return file && { file };
  }

  private patchJson(accumulated: Accumulated, { path = '', patch = '', target }: PatchEntry, index: number): void {
    if (!target?.name) throw new KustomizeRefusal('must specify the target name');
    if (path === '' && patch === '') throw new KustomizeRefusal('empty file path and empty jsonOp');
    if (path !== '' && patch !== '') throw new KustomizeRefusal('must specify a file path or jsonOp, not both');
    if (isRemote(path)) return accumulated.addRemote(path);
    const [operations] = path === '' ? documentValues(patch) : this.documents(path, ['path']);
    if (!Array.isArray(operations) || operations.length === 0)
      throw new KustomizeRefusal(`patch appears to be empty; file=${path}, JsonOp=${patch}`);
    const place = path === '' ? this.inlinePlace(['patchesJson6902', index, 'patch']) : this.filePlace(path);
    notingReplacedLists(accumulated.list.all, place, [operations], () => {
      const isApplied = applyOperations(accumulated.list, operationsOf(operations), target);
      if (!isApplied) this.noteUnmatched(accumulated, target, ['patchesJson6902', index, 'target']);
    });
  }

  private replacementsOf(entry: FieldReplacement & { readonly path?: string }): readonly FieldReplacement[] {
    const { path, ...replacement } = entry;
    if (!path) return [replacement];
    if (replacement.source || replacement.targets?.length)
      throw new KustomizeRefusal('cannot specify both path and inline replacement');
    const [content] = this.documents(path, ['path']);
    if (!Array.isArray(content) && !isFields(content))
      throw new KustomizeRefusal('unsupported replacement type encountered within replacement path');
    const all = Array.isArray(content) ? content : [content];
    return all.map((item) => decoded(item, REPLACEMENT_TYPE) as FieldReplacement);
  }

  private documents(path: string, field?: FieldPath): readonly unknown[] {
    return this.files.documents(this.folder, path, field);
  }
}

/** The places of a file of `configurations`. */
function configOf(document: unknown): Partial<TransformerConfig> {
  if (!isFields(document)) throw new KustomizeRefusal('cannot unmarshal the configuration');
  const lists = { list: FIELD_SPEC };
  const { nameReference, ...places } = document;
  const references = Array.isArray(nameReference) ? nameReference : [];
  const reference = { list: { fields: { group: 'text', version: 'text', kind: 'text', fieldSpecs: lists } } } as const;
  return {
    ...Object.fromEntries(Object.entries(places).map(([name, value]) => [name, decoded(value, lists, [name])])),
    ...(references.length > 0 ? { nameReference: decoded(references, reference) } : {}),
  } as Partial<TransformerConfig>;
}
