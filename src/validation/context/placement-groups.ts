import { Catalog, supportsClusterPlacementGroups, PlacementGroupFacts } from '../../catalog';
import { asRecord } from '../../contract';
import { Requirements } from '../../model';
import { matchingTypes } from '../../scheduling';
import { InitialCluster, ManifestModel, NodeClassManifest, NodePoolManifest } from '../manifest';

/** Marks a class whose placement group is not in the input. */
export const UNKNOWN_GROUP = 'unknown';

/** The placement group of each EC2NodeClass that selects one, by the name of the class. */
export function placementGroupsByClass({
  nodeClasses,
  cluster,
}: ManifestModel): ReadonlyMap<string, PlacementGroupFacts | typeof UNKNOWN_GROUP> {
  const allClasses = [...(cluster?.nodeClasses ?? []), ...nodeClasses];
  return new Map(
    allClasses.flatMap((nodeClass) => {
      const group = groupOf(nodeClass, cluster?.placementGroups ?? []);
      return group === undefined ? [] : [[nodeClass.object.name, group] as const];
    }),
  );
}

/**
 * Whether the instance types of a NodePool depend on the strategy of its placement group.
 * Only the strategy `cluster` excludes instance types.
 *
 * @param nodeClass of the pool
 */
export function typesDependOnStrategy(
  { spec }: NodePoolManifest,
  { facts }: NodeClassManifest,
  catalog: Catalog,
): boolean {
  if (spec === undefined || facts === undefined) return false;
  const table = catalog.resolve(facts);
  return matchingTypes(table, Requirements.from(spec.requirements)).some(
    (type) => !supportsClusterPlacementGroups(table.names[type]),
  );
}

function groupOf(
  { object }: NodeClassManifest,
  groups: InitialCluster['placementGroups'],
): PlacementGroupFacts | typeof UNKNOWN_GROUP | undefined {
  const selector = asRecord(object.raw.spec?.placementGroupSelector);
  if (selector === undefined) return undefined;
  const group = groups.find(({ id, name }) =>
    selector.id === undefined ? name === selector.name : id === selector.id,
  );
  if (group === undefined) return UNKNOWN_GROUP;
  const { name, ...facts } = group;
  return facts;
}
