import { isToken } from '../../manifest/field-reader';
import { ManifestModel, NodeClassManifest } from '../../manifest/model';

/**
 * The node classes that launch nodes. A class that no NodePool names has none. Without any NodePool, or if the class of
 * a NodePool is known only at deployment, every class may have nodes.
 */
export function classesInUse({ nodeClasses, nodePools, cluster }: ManifestModel): readonly NodeClassManifest[] {
  const names = [...nodePools, ...(cluster?.nodePools ?? [])].map(({ nodeClassRef }) => nodeClassRef?.name);
  if (names.length === 0 || names.some((name) => name === undefined || isToken(name))) return nodeClasses;
  return nodeClasses.filter(({ object }) => names.includes(object.name));
}
