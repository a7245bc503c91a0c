import { FluxReference } from './flux-references';
import { isFilledLater, mayBecome, mayMeet, WiredObject } from './wired-objects';
import { nearestName } from '../../../../../model';

/** What a reference leads to, or what is wrong with it. */
export type Resolution =
  | { readonly found: readonly WiredObject[]; readonly wrong?: undefined }
  | {
      readonly found?: undefined;
      /** The field that is wrong; `all` if no object is known to be meant. */
      readonly wrong: 'name' | 'namespace' | 'kind' | 'all';
      /** What to write instead. */
      readonly meant?: WiredObject;
      /** The objects that could be named. */
      readonly others: readonly WiredObject[];
    };

/** Finds what an object of Flux names. Undefined if that is not known. */
export function resolve(
  reference: FluxReference,
  from: WiredObject,
  objects: readonly WiredObject[],
): Resolution | undefined {
  const { name, kind, kinds, group } = reference;
  const namespace = reference.namespace ?? from.namespace;
  if (isFilledLater(name) || (namespace !== undefined && isFilledLater(namespace))) return undefined;
  const all = objects.filter((object) => object.group === group);
  const ofKind = all.filter((object) => object.kind === kind);
  const isNamed = (object: WiredObject) => mayBecome(object.name, name);
  const isNear = (object: WiredObject) => isIn(object, namespace);
  const named = ofKind.filter(isNamed);
  const inNamespace = named.filter(isNear);
  if (inNamespace.length > 0) return { found: inNamespace };
  if (named.length > 0) {
    // Something in the cluster may copy ConfigMaps and Secrets into other namespaces.
    if (reference.use === 'values') return undefined;
    const meant = named.find((object) => mayMeet(object, from) && object.namespace !== undefined);
    return meant && { wrong: 'namespace', meant, others: [] };
  }
  const reachable = ofKind.filter((object) => isNear(object) && mayMeet(object, from));
  const ofOtherKind = all.filter((object) => kinds.includes(object.kind) && isNamed(object) && isNear(object));
  if (ofOtherKind.length > 0) return { wrong: 'kind', meant: ofOtherKind[0], others: [] };
  const near = nearestName(
    name,
    reachable.map((object) => object.name).filter((other) => !isNumbered(name, other)),
  );
  const meant = reachable.find((object) => object.name === near);
  if (meant) return { wrong: 'name', meant, others: reachable };
  return { wrong: 'all', others: reachable };
}

/** An object that writes no namespace may be in any. */
function isIn(object: WiredObject, namespace: string | undefined): boolean {
  const own = object.namespace;
  return own === undefined || namespace === undefined || isFilledLater(own) || own === namespace;
}

/** Whether the names differ only in a number: `apps-1` is no mistake for `apps-2`, and not for `apps`. */
function isNumbered(name: string, other: string): boolean {
  const plain = (text: string) => text.replace(/[-_.]?\d+/g, '');
  return plain(name) === plain(other);
}
