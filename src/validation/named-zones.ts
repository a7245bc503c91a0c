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
  const named = namedZones(model);
  const regions = new Set(named.map(zoneRegion));
  const region = options.region ?? (regions.size === 1 ? [...regions][0] : undefined);
  if (region === undefined) return options;
  const zones = [...new Set([...firstZones(region), ...named.filter((zone) => zoneRegion(zone) === region)])];
  return zones.length > MAX_ZONES ? options : { ...options, region, zones };
}

function namedZones({ nodePools, workloads }: ManifestModel): string[] {
  const requirements = [
    ...nodePools.flatMap(({ spec }) => spec ? [...spec.requirements, ...asRequirements(spec.labels)] : []),
    ...workloads.flatMap(({ shape, ordinals = [] }) => [...shape ? [shape] : [], ...ordinals.map((range) => range.shape)].flatMap(requiredOf)),
  ];
  const zones = requirements.flatMap(({ key, operator, values = [] }) => normalizeLabelKey(key) === Label.ZONE && operator === 'In' ? values : []);
  return [...new Set(zones)].filter((zone) => zoneRegion(zone) !== undefined);
}

function requiredOf({ nodeSelector, requiredNodeAffinity, volumeTopology = [] }: PodShape): RequirementSpec[] {
  return [...asRequirements(nodeSelector), ...requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions), ...volumeTopology.flat()];
}

function asRequirements(labels: Readonly<Record<string, string>>): RequirementSpec[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}
