import { CatalogOptions, firstZones, MAX_ZONES } from '../../catalog';
import { Label, normalizeLabelKey, RequirementSpec } from '../../model';
import { PodShape } from '../../scheduling';
import { regionOfZone } from '../cluster/cluster-region';
import { ManifestModel } from '../manifest';

/**
 * Adds the zones that NodePools and pods name to the default zones, unless the options or the cluster already say which
 * zones there are: a manifest that names a zone implies that the cluster has it. Without a known region, the region of
 * these zones is used, if it is only one.
 */
export function addNamedZones(options: CatalogOptions, model: ManifestModel): CatalogOptions {
  if (options.zones !== undefined) return options;
  const regions = namedRegions(model);
  const region = options.region ?? (regions.length === 1 ? regions[0] : undefined);
  if (region === undefined) return options;
  const named = namedValues(model, Label.ZONE).filter((zone) => regionOfZone(zone) === region);
  const zones = [...new Set([...firstZones(region), ...named])];
  return zones.length > MAX_ZONES ? options : { ...options, region, zones };
}

/** Regions that NodePools and pods require, by a region label or by the name of a zone. */
export function namedRegions(model: ManifestModel): string[] {
  const zones = [...namedValues(model, Label.ZONE), ...namedValues(model, Label.REGION).map((region) => `${region}a`)];
  return [...new Set(zones.flatMap((zone) => regionOfZone(zone) ?? []))].sort();
}

function namedValues({ nodePools, workloads }: ManifestModel, label: string): string[] {
  const requirements = [
    ...nodePools.flatMap(({ spec }) => spec ? [...spec.requirements, ...asRequirements(spec.labels)] : []),
    ...workloads.flatMap(({ shape, ordinals = [] }) => [...shape ? [shape] : [], ...ordinals.map((range) => range.shape)].flatMap(requiredOf)),
  ];
  return requirements.flatMap(({ key, operator, values = [] }) => normalizeLabelKey(key) === label && operator === 'In' ? values : []);
}

function requiredOf({ nodeSelector, requiredNodeAffinity, volumeTopology = [] }: PodShape): RequirementSpec[] {
  return [...asRequirements(nodeSelector), ...requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions), ...volumeTopology.flat()];
}

function asRequirements(labels: Readonly<Record<string, string>>): RequirementSpec[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}
