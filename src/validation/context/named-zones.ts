import { decidedRegion } from './decided-region';
import {
  accountCatalogOf,
  CatalogOptions,
  chooseCatalog,
  firstZones,
  isRegion,
  MAX_ZONES,
  regionOfZone,
  unknownZone,
} from '../../catalog';
import { Label } from '../../model';
import { ManifestModel } from '../manifest';
import { namedValues } from './named-values';
import { stockNodeClasses } from './stock-node-class';

/**
 * Adds the zones that NodePools and pods name to the default zones, unless the options, the cluster or the subnets of
 * all node classes already say which zones there are: a manifest that names a zone of the region implies that the
 * cluster has it. Zones that cannot exist are left out.
 */
export function addNamedZones(options: CatalogOptions, model: ManifestModel): CatalogOptions {
  if (options.zones !== undefined) return options;
  const { region } = decidedRegion(options, model);
  if (region === undefined) return options;
  const named = namedValues(model, Label.ZONE).filter(
    (zone) => regionOfZone(zone) === region && (!isRegion(region) || unknownZone(zone) === undefined),
  );
  const classes = [...model.nodeClasses, ...(model.cluster?.nodeClasses ?? [])].map(({ facts }) => facts?.zones);
  const ofSubnets = classes.flatMap((zones) => zones ?? []);
  if (ofSubnets.length > 0 && classes.every((zones) => zones !== undefined) && stockNodeClasses(model).length === 0)
    return { ...options, region, zones: [...new Set(ofSubnets)] };
  const account = accountCatalogOf(chooseCatalog(options.catalogs ?? [], region));
  const isKnown = (zone: string) => account === undefined || Object.hasOwn(account.zones, zone);
  const zones = [...new Set([...firstZones(region, account), ...named.filter(isKnown), ...ofSubnets])];
  return zones.length > MAX_ZONES ? { ...options, region } : { ...options, region, zones };
}
