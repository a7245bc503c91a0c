import { Catalog, isForClusterGroups, PlacementGroupFacts } from '../catalog';
import { asRecord } from '../contract';
import { Requirements } from '../model';
import { matchingTypes } from '../scheduling';
import { ClusterState, ManifestModel, NodeClassManifest, NodePoolManifest } from './manifest';

/** Where nothing of the input says which group a class selects. */
export const UNKNOWN_GROUP = 'unknown';

/** Of each class that launches into a placement group, by its name: what the group is like. */
export function placementGroups({ nodeClasses, cluster }: ManifestModel): ReadonlyMap<string, PlacementGroupFacts | typeof UNKNOWN_GROUP> {
  const all = [...cluster?.nodeClasses ?? [], ...nodeClasses];
  return new Map(all.flatMap((nodeClass) => {
    const group = groupOf(nodeClass, cluster?.placementGroups ?? []);
    return group === undefined ? [] : [[nodeClass.object.name, group] as const];
  }));
}

/**
 * Whether the types that the pool leaves are the same whatever its group is like: of each strategy but one it takes all.
 *
 * @param nodeClass of the pool
 */
export function dependsOnStrategy({ spec }: NodePoolManifest, { facts }: NodeClassManifest, catalog: Catalog): boolean {
  if (spec === undefined || facts === undefined) return false;
  const table = catalog.resolve(facts);
  return matchingTypes(table, Requirements.from(spec.requirements)).some((type) => !isForClusterGroups(table.names[type]));
}

function groupOf({ object }: NodeClassManifest, known: ClusterState['placementGroups']): PlacementGroupFacts | typeof UNKNOWN_GROUP | undefined {
  const selector = asRecord(asRecord(object.raw.spec)?.placementGroupSelector);
  if (selector === undefined) return undefined;
  const found = known.find(({ id, name }) => selector.id === undefined ? name === selector.name : id === selector.id);
  if (found === undefined) return UNKNOWN_GROUP;
  const { name, ...facts } = found;
  return facts;
}
