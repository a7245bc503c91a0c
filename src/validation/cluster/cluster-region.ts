import { MAX_ZONES } from '../../catalog';
import { Label } from '../../model';
import { ManifestModel } from '../manifest/model';
import { CheckOptions } from '../options';
import { zoneIdsOf } from '../untold';

const ZONE = /^([a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2})(?:[a-z]|-.*)$/;

/** With the region and the zones that the cluster is in, as far as they are not given. */
export function inItsRegion(options: CheckOptions, model: ManifestModel): CheckOptions {
  const { cluster } = model;
  if (!cluster) return options;
  const zones = [...new Set([...cluster.classes.values()].flatMap((status) => status.zones ?? []))].sort();
  const regions = [...cluster.nodes.flatMap(({ labels }) => labels[Label.REGION] ?? []), ...zones.flatMap((zone) => zoneRegion(zone) ?? [])];
  const region = options.region ?? regions[0];
  const own = zones.filter((zone) => zone.startsWith(region ?? ''));
  const known = own.length > 0 && own.length <= MAX_ZONES ? own : undefined;
  return { ...options, region, zones: options.zones ?? known, zoneIds: { ...zoneIdsOf(model), ...options.zoneIds } };
}

/** The region that a zone, a Local Zone or a Wavelength Zone is in, by their names. */
export function zoneRegion(zone: string): string | undefined {
  return ZONE.exec(zone)?.[1];
}
