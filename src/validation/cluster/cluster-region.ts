import { MAX_ZONES } from '../../catalog';
import { Label } from '../../model';
import { ManifestModel } from '../manifest/model';
import { CheckOptions } from '../options';

const ZONE = /^([a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2})(?:[a-z]|-.*)$/;

/** With the region and the zones that the cluster is in, as far as they are not given. */
export function inItsRegion(options: CheckOptions, model: ManifestModel): CheckOptions {
  const { cluster } = model;
  if (!cluster) return { ...options, region: options.region ?? regionOf(options.zones) };
  const zones = [...new Set([...cluster.classes.values()].flatMap((status) => status.zones ?? []))].sort();
  const regions = [...cluster.nodes.flatMap(({ labels }) => labels[Label.REGION] ?? []), ...zones.flatMap((zone) => zoneRegion(zone) ?? [])];
  const region = options.region ?? regions[0];
  const own = zones.filter((zone) => zone.startsWith(region ?? ''));
  const known = own.length > 0 && own.length <= MAX_ZONES ? own : undefined;
  return { ...options, region, zones: options.zones ?? known, zoneIds: { ...zoneIdsOf(model), ...options.zoneIds } };
}

/** Which zone has which id, as the cluster tells; each account has an order of its own. */
function zoneIdsOf({ cluster }: ManifestModel): Record<string, string> {
  if (!cluster) return {};
  const ofNodes = cluster.nodes.map(({ labels }) => [labels[Label.ZONE], labels[Label.ZONE_ID]]);
  const ofClasses = [...cluster.classes.values()].flatMap(({ zoneIds }) => Object.entries(zoneIds));
  return Object.fromEntries([...ofNodes, ...ofClasses].filter(([zone, id]) => zone !== undefined && id !== undefined));
}

/** The region that a zone, a Local Zone or a Wavelength Zone is in, by their names. */
export function zoneRegion(zone: string): string | undefined {
  return ZONE.exec(zone)?.[1];
}

/** That of all of them. */
function regionOf(zones: readonly string[] = []): string | undefined {
  const [region, ...others] = new Set(zones.map(zoneRegion));
  return others.length === 0 ? region : undefined;
}
