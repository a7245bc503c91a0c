import { Catalog, DEFAULT_NODE_CLASS, NodeClassFacts } from '../catalog';
import { Label, Requirements } from '../model';
import { matchingTypes, NodePoolSpec } from '../scheduling';

const KEYS = [Label.INSTANCE_TYPE, Label.INSTANCE_FAMILY];
const FAMILY = /^[a-z]+(?:-\d+tb)?(\d+)[a-z0-9-]*$/;

/**
 * Instance types or families that a NodePool asks for by name, where it leaves nothing of the catalogue, and which EC2 may have by now: of a
 * family that is not known, and of a generation that may be the next.
 *
 * @param nodeClass of the pool, where it is known
 */
export function newerTypes({ requirements }: NodePoolSpec, catalog: Catalog, nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS): string[] {
  const asked = Requirements.from(requirements);
  const named = KEYS.flatMap((key) => asked.has(key) && !asked.get(key).complement ? [...asked.get(key).values] : []);
  if (named.length === 0) return [];
  const families = new Set(catalog.names.map(familyOf));
  const newest = Math.max(...[...families].map(generationOf).filter((generation) => !Number.isNaN(generation)));
  const newer = named.filter((value) => !families.has(familyOf(value)) && generationOf(familyOf(value)) <= newest + 1);
  return newer.length === 0 || matchingTypes(catalog.resolve(nodeClass), asked).length > 0 ? [] : newer.sort();
}

function familyOf(name: string): string {
  return name.split('.')[0];
}

/** NaN of what is no name of a family. */
function generationOf(family: string): number {
  return Number(FAMILY.exec(family)?.[1] ?? NaN);
}
