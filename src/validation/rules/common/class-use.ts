import { findApiStatus, NEWEST_KARPENTER_VERSION } from '../../../contract';
import { isToken } from '../../manifest/field-reader';
import { ManifestModel, ManifestObject, NodeClassManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/**
 * The node classes that launch nodes. A class that no NodePool names has none. Without any NodePool, or if the class of
 * a NodePool is known only at deployment, every class may have nodes.
 */
export function classesInUse({ nodeClasses, nodePools, cluster }: ManifestModel): readonly NodeClassManifest[] {
  const names = [...nodePools, ...(cluster?.nodePools ?? [])].map(({ nodeClassRef }) => nodeClassRef?.name);
  if (names.length === 0 || names.some((name) => name === undefined || isToken(name))) return nodeClasses;
  return nodeClasses.filter(({ object }) => names.includes(object.name));
}

/** The object of an older API version that is judged as this object of v1; undefined if it is written as v1. */
export function originalOf(
  { objects }: ManifestModel,
  { apiVersion, locate }: ManifestObject,
): ManifestObject | undefined {
  return objects.find((object) => object.locate === locate && object.apiVersion !== apiVersion);
}

/** Whether the class is a second one that a conversion makes of a class with several users. */
export function isCopyOfConversion(model: ManifestModel, object: ManifestObject): boolean {
  const original = originalOf(model, object);
  return original !== undefined && original.name !== object.name;
}

/** Whether only a conversion makes the class: the release no longer serves what is written, or the class is a copy. */
export function isMadeByConversion(context: RuleContext, object: ManifestObject): boolean {
  const isConverted = originalOf(context.model, object) !== undefined;
  return isConverted && (isCopyOfConversion(context.model, object) || servedOriginalOf(context, object) === undefined);
}

/**
 * The object of an older API version that is judged as this object of v1, if the release of Karpenter serves it: then
 * its remedies are those of its own API. Undefined if the object is written as it is judged.
 */
export function servedOriginalOf({ model, options }: RuleContext, object: ManifestObject): ManifestObject | undefined {
  const original = originalOf(model, object);
  const version = options.karpenterVersion ?? options.servingVersion ?? NEWEST_KARPENTER_VERSION;
  return original && findApiStatus(original.apiVersion, original.kind, version).state === 'served'
    ? original
    : undefined;
}
