import { CatalogOptions, firstZones, MAX_ZONES } from '../catalog';
import { Label, normalizeLabelKey, RequirementSpec } from '../model';
import { PodShape } from '../scheduling';
import { zoneRegion } from './cluster/cluster-region';
import { ManifestModel } from './manifest';

/**
 * With the zones that NodePools and pods name beside those that are supposed, where neither the options nor the cluster say which there
 * are: whoever names a zone has it. Its region is theirs, unless they name several, or it is known.
 */
export function withNamedZones(options: CatalogOptions, model: ManifestModel): CatalogOptions {
  if (options.zones !== undefined) return options;
  const regions = regionsNamed(model);
  const region = options.region ?? (regions.length === 1 ? regions[0] : undefined);
  if (region === undefined) return options;
  const named = namedValues(model, Label.ZONE).filter((zone) => zoneRegion(zone) === region);
  const zones = [...new Set([...firstZones(region), ...named])];
  return zones.length > MAX_ZONES ? options : { ...options, region, zones };
}

/** Those that NodePools and pods ask for, by their own names or by those of zones. */
export function regionsNamed(model: ManifestModel): string[] {
  const zones = [...namedValues(model, Label.ZONE), ...namedValues(model, Label.REGION).map((region) => `${region}a`)];
  return [...new Set(zones.flatMap((zone) => zoneRegion(zone) ?? []))].sort();
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
