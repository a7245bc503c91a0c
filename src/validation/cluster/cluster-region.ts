import { isRegion, MAX_ZONES, regionOfZone } from '../../catalog';
import { Label } from '../../model';
import { CheckOptions } from '../check-options';
import { ManifestModel } from '../manifest/model';

/** Adds the cluster's region, zones and zone ids to the options that do not set them. */
export function withClusterRegion(options: CheckOptions, model: ManifestModel): CheckOptions {
  const { cluster } = model;
  if (!cluster) return { ...options, region: options.region ?? regionOf(options.zones) };
  const zones = [...new Set([...cluster.nodeClassStatuses.values()].flatMap((status) => status.zones ?? []))].sort();
  const regions = [
    ...cluster.nodes.flatMap(({ labels }) => labels[Label.REGION] ?? []),
    ...zones.flatMap((zone) => regionOfZone(zone) ?? []),
  ];
  // A label may have any text, and a remedy is tried with this region as an option.
  const region = options.region ?? regions.find(isRegion);
  const regionZones = zones.filter((zone) => zone.startsWith(region ?? ''));
  const clusterZones = regionZones.length > 0 && regionZones.length <= MAX_ZONES ? regionZones : undefined;
  return {
    ...options,
    region,
    zones: options.zones ?? clusterZones,
    zoneIds: { ...zoneIdsOf(model), ...options.zoneIds },
  };
}

/** Zone ids by zone name. The mapping differs between AWS accounts. */
function zoneIdsOf({ cluster }: ManifestModel): Record<string, string> {
  if (!cluster) return {};
  const nodeEntries = cluster.nodes.map(({ labels }) => [labels[Label.ZONE], labels[Label.ZONE_ID]]);
  const classEntries = [...cluster.nodeClassStatuses.values()].flatMap(({ zoneIds }) => Object.entries(zoneIds));
  return Object.fromEntries(
    [...nodeEntries, ...classEntries].filter(([zone, id]) => zone !== undefined && id !== undefined),
  );
}

/** The common region of the zones. */
function regionOf(zones: readonly string[] = []): string | undefined {
  const [region, ...others] = new Set(zones.map(regionOfZone));
  return others.length === 0 ? region : undefined;
}
