import { Catalog, DEFAULT_NODE_CLASS, NodeClassFacts } from '../../catalog';
import { Label, Requirements } from '../../model';
import { compatibleTypes, matchingTypes, NodePoolSpec } from '../../scheduling';

const KEYS = [Label.INSTANCE_TYPE, Label.INSTANCE_FAMILY];
const FAMILY = /^[a-z]+(?:-\d+tb)?(\d+)[a-z0-9-]*$/;

/**
 * Instance types or families that a NodePool requires by name and that the catalog does not have, but EC2 may have by
 * now. Their family is unknown, and its generation is at most the next one. Empty if the NodePool has other instance
 * types to launch.
 *
 * @param nodeClass of the pool, if it is known
 */
export function typesNewerThanCatalog(
  { requirements }: NodePoolSpec,
  catalog: Catalog,
  nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS,
): string[] {
  const required = Requirements.from(requirements);
  const named = KEYS.flatMap((key) =>
    required.has(key) && !required.get(key).complement ? [...required.get(key).values] : [],
  );
  if (named.length === 0) return [];
  const families = new Set(catalog.names.map(familyOf));
  const newest = Math.max(...[...families].map(generationOf).filter((generation) => !Number.isNaN(generation)));
  const newer = named.filter((value) => !families.has(familyOf(value)) && generationOf(familyOf(value)) <= newest + 1);
  return newer.length === 0 || matchingTypes(catalog.resolve(nodeClass), required).length > 0 ? [] : newer.sort();
}

/**
 * Instance types that meet the requirements and are sold in the region, but whose price no record has. Karpenter reads
 * it from the price list. Empty if the NodePool has other instance types to launch.
 *
 * @param nodeClass of the pool, if it is known
 */
export function typesOfUnknownPrice(
  { requirements }: NodePoolSpec,
  catalog: Catalog,
  nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS,
): string[] {
  const required = Requirements.from(requirements);
  const table = catalog.resolve(nodeClass);
  if (matchingTypes(table, required).length > 0) return [];
  const isCompatible = compatibleTypes(table, required);
  return catalog.names.filter((name, type) => isCompatible[type] && catalog.isPriceUnrecorded(name));
}

function familyOf(name: string): string {
  return name.split('.')[0];
}

/** NaN if the text is not the name of an instance family. */
function generationOf(family: string): number {
  return Number(FAMILY.exec(family)?.[1] ?? NaN);
}
