import { ManifestObject } from './object';
import { findApiStatus, isValidatedKind, KARPENTER_APIS } from '../../contract';
import { LegacyConverter } from '../check-options';

/**
 * The objects with those of older API versions of Karpenter converted to v1. A converted object has the places of the
 * object that it replaces, and no source, so that it gets no fixes.
 */
export function convertedObjects(
  objects: readonly ManifestObject[],
  convert: LegacyConverter | undefined,
): readonly ManifestObject[] {
  if (convert === undefined || !objects.some(isLegacy)) return objects;
  const own = objects.filter((object) => isLegacy(object) || isValidatedKind(object.apiVersion, object.kind));
  const converted = convert(own.map(({ raw }) => raw));
  const successors = new Map(own.map((object, index) => [object, converted[index]]));
  return objects.flatMap((object) => {
    const raws = successors.get(object);
    if (raws === undefined || !(isLegacy(object) || isChanged(object, raws))) return [object];
    return raws.map((raw) => successorOf(object, raw));
  });
}

/** Whether a newer API version replaces that of the object. */
function isLegacy({ apiVersion, kind }: ManifestObject): boolean {
  return (
    findApiStatus(apiVersion, kind).state === 'removed' &&
    KARPENTER_APIS.some((api) => api.apiVersion === apiVersion && api.kind === kind)
  );
}

/** Kubelet settings of an older NodePool move to its class, which may be v1 already. */
function isChanged({ raw }: ManifestObject, raws: ReadonlyArray<Readonly<Record<string, unknown>>>): boolean {
  return raws.length !== 1 || JSON.stringify(raws[0]) !== JSON.stringify(raw);
}

function successorOf(original: ManifestObject, raw: Readonly<Record<string, unknown>>): ManifestObject {
  const { name } = (raw.metadata ?? {}) as { readonly name?: unknown };
  return {
    ...original,
    apiVersion: String(raw.apiVersion),
    kind: String(raw.kind),
    name: typeof name === 'string' ? name : original.name,
    raw,
    source: undefined,
  };
}
