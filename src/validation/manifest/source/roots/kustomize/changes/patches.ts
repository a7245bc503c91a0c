import { applyJsonPatch, Operation, operationsOf } from './json-patch';
import { Selector, SelectorFields } from './selector';
import { strategicMerge } from './strategic-merge';
import { nearestName } from '../../../../../../model';
import { KustomizeRefusal, RefusalAdvice } from '../refusal';
import { resourcesOf } from '../resources/read-resources';
import { Resource } from '../resources/resource';
import { apiVersionOf, idKey, idText } from '../resources/resource-id';
import { ResourceMap } from '../resources/resource-list';
import { isFields, newFields } from '../values';

export interface PatchOptions {
  readonly allowNameChange?: boolean;
  readonly allowKindChange?: boolean;
}

/** The documents of a patch: objects to merge, or the operations of a JSON patch. */
export type Patch =
  | { readonly merges: readonly Resource[]; readonly operations?: undefined }
  | { readonly operations: readonly Operation[] };

/**
 * @param source names the patch in a reason
 * @throws Refusal if the documents are neither objects nor operations
 */
export function readPatch(documents: readonly unknown[], source: string): Patch {
  const [first] = documents;
  try {
    if (Array.isArray(first)) return { operations: operationsOf(first) };
    return { merges: resourcesOf(documents) };
  } catch (error) {
    if (!(error instanceof KustomizeRefusal)) throw error;
    throw new KustomizeRefusal(`unable to parse SM or JSON patch from ${source}: ${error.message}`);
  }
}

/**
 * Applies an entry of `patches`. Returns false if its target selects no object.
 *
 * @param isIncomplete whether the build lacks objects that the patch may be for
 * @throws Refusal if a patch has no target, or does not apply
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/builtins/PatchTransformer.go
 */
export function applyPatch(
  list: ResourceMap,
  patch: Patch,
  target: SelectorFields | undefined,
  options: PatchOptions,
  source: string,
  isIncomplete: boolean,
): boolean {
  if (patch.operations) {
    if (!target) throw new KustomizeRefusal(`must specify a target for JSON patch ${source}`);
    const selector = new Selector(target);
    const selected = list.all.filter((each) => selector.selects(each));
    for (const resource of selected) {
      resource.keepId();
      patchByOperations(resource, patch.operations);
    }
    return selected.length > 0;
  }
  if (!target) {
    for (const merged of patch.merges) {
      const found = targetOf(list, merged, isIncomplete, 'no resource matches strategic merge patch ');
      if (found) mergeInto(found, merged.copy(), options);
    }
    return true;
  }
  if (patch.merges.length > 1)
    throw new KustomizeRefusal(
      `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
    );
  const selector = new Selector(target);
  const selected = list.all.filter((each) => selector.selects(each));
  if (patch.merges.length === 1) mergeIntoAll(list, selected, patch.merges[0], options);
  return selected.length > 0;
}

/** Applies the patches of an entry of `patchesStrategicMerge`. */
export function applyMerges(list: ResourceMap, merges: readonly Resource[], isIncomplete: boolean): void {
  for (const merged of merges) {
    const found = targetOf(list, merged, isIncomplete, '');
    if (found) mergeIntoAll(list, [found], merged, {});
  }
}

/** Applies an entry of `patchesJson6902`. Returns false if its target selects no object. */
export function applyOperations(list: ResourceMap, operations: readonly Operation[], target: SelectorFields): boolean {
  const selector = new Selector(target);
  const selected = list.all.filter((each) => selector.selects(each));
  for (const resource of selected) patchByOperations(resource, operations);
  return selected.length > 0;
}

function targetOf(list: ResourceMap, patch: Resource, isIncomplete: boolean, prefix: string): Resource | undefined {
  try {
    return list.one(patch.originalId);
  } catch (error) {
    if (!(error instanceof KustomizeRefusal)) throw error;
    if (isIncomplete && error.message.startsWith('no matches')) return undefined;
    throw new KustomizeRefusal(
      prefix === '' ? error.message : `${prefix}"${idText(patch.originalId)}": ${error.message}`,
      adviceFor(list, patch),
    );
  }
}

function mergeIntoAll(list: ResourceMap, targets: readonly Resource[], patch: Resource, options: PatchOptions): void {
  const keys = new Set(targets.map(({ id }) => idKey(id)));
  for (const resource of list.all.filter(({ id }) => keys.has(idKey(id)))) {
    const copy = patch.copy();
    copy.setLabels(copy.labels);
    copy.setAnnotations(copy.annotations);
    copy.setNamespace(copy.namespace);
    copy.setKind({ ...resource.kindInfo, kind: patch.kind });
    mergeInto(resource, copy, options);
  }
  list.dropEmptyAndCheckIds();
}

function mergeInto(resource: Resource, patch: Resource, { allowNameChange, allowKindChange }: PatchOptions): void {
  const { name, namespace, kind } = resource;
  if (allowNameChange || allowKindChange) resource.keepId();
  resource.fields = strategicMerge(resource.fields!, patch.fields!);
  if (resource.isEmpty) return;
  if (!allowKindChange) resource.fields!.kind = kind;
  if (!allowNameChange) resource.setName(name);
  resource.setNamespace(namespace);
}

function patchByOperations(resource: Resource, operations: readonly Operation[]): void {
  const { metadata } = resource.fields!;
  // kustomize keeps its own facts in annotations.
  if (resource.hasBuildFacts && isFields(metadata) && metadata.annotations === undefined)
    metadata.annotations = newFields();
  resource.fields = applyJsonPatch(resource.fields!, operations);
  resource.setAnnotations(resource.annotations);
}

/** The field of a patch that differs from the object which is meant. */
function adviceFor(list: ResourceMap, { originalId: id }: Resource): RefusalAdvice | undefined {
  const others = list.all.filter((resource) => resource.kind === id.kind);
  const [named] = others.filter(({ name }) => name === id.name);
  if (named === undefined) {
    const near = nearestName(
      id.name,
      others.map(({ name }) => name),
    );
    return near === undefined ? undefined : { remedy: `write name: ${near} in the patch` };
  }
  const apiVersion = apiVersionOf(named.kindInfo);
  if (apiVersion !== apiVersionOf(id)) return { remedy: `write apiVersion: ${apiVersion} in the patch` };
  return {
    remedy:
      named.namespace === '' ? 'remove namespace from the patch' : `write namespace: ${named.namespace} in the patch`,
  };
}
