import { MAX_ZONES } from '../../catalog';
import { Label } from '../../model';
import { CheckOptions } from '../check-options';
import { ManifestModel } from '../manifest/model';

/** The name of a zone, with its region as the first group. */
const ZONE = /^([a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2})(?:[a-z]|-.*)$/;

/** Adds the cluster's region, zones and zone ids to the options that do not set them. */
export function withClusterRegion(options: CheckOptions, model: ManifestModel): CheckOptions {
  const { cluster } = model;
  if (!cluster) return { ...options, region: options.region ?? regionOf(options.zones) };
  const zones = [...new Set([...cluster.nodeClassStatuses.values()].flatMap((status) => status.zones ?? []))].sort();
  const regions = [...cluster.nodes.flatMap(({ labels }) => labels[Label.REGION] ?? []), ...zones.flatMap((zone) => regionOfZone(zone) ?? [])];
  const region = options.region ?? regions[0];
  const regionZones = zones.filter((zone) => zone.startsWith(region ?? ''));
  const clusterZones = regionZones.length > 0 && regionZones.length <= MAX_ZONES ? regionZones : undefined;
  return { ...options, region, zones: options.zones ?? clusterZones, zoneIds: { ...zoneIdsOf(model), ...options.zoneIds } };
}

/** Zone ids by zone name. The mapping differs between AWS accounts. */
function zoneIdsOf({ cluster }: ManifestModel): Record<string, string> {
  if (!cluster) return {};
  const nodeEntries = cluster.nodes.map(({ labels }) => [labels[Label.ZONE], labels[Label.ZONE_ID]]);
  const classEntries = [...cluster.nodeClassStatuses.values()].flatMap(({ zoneIds }) => Object.entries(zoneIds));
  return Object.fromEntries([...nodeEntries, ...classEntries].filter(([zone, id]) => zone !== undefined && id !== undefined));
}

/** The region of a zone, a Local Zone or a Wavelength Zone, by its name. */
export function regionOfZone(zone: string): string | undefined {
  return ZONE.exec(zone)?.[1];
}

/** The common region of the zones. */
function regionOf(zones: readonly string[] = []): string | undefined {
  const [region, ...others] = new Set(zones.map(regionOfZone));
  return others.length === 0 ? region : undefined;
}
