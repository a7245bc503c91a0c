import { hasDummyValue } from '../contract';
import { v1ObjectsOf } from '../conversion';
import {
  CheckOptions,
  hasPrices,
  isRegion,
  nearestRegion,
  readRegionCatalog,
  readHelmValues,
  SourceFile,
  SourceFileReader,
  regionOfZone,
} from '../validation';
import { SystemDaemonSets, VerdictOptions } from './verdict-options';

/**
 * Converts the props of a verdict to options of the validator.
 *
 * @throws Error if an option has an impossible value, such as a region that does not exist
 */
export function checkOptions(verdictOptions: VerdictOptions): CheckOptions {
  const props = withoutDummyZones(verdictOptions);
  checkRegionAndZones(props);
  checkOverhead(props);
  if (props.pricesFrom !== undefined && !hasPrices(props.pricesFrom))
    reject('pricesFrom', 'a region without known prices', props.pricesFrom, 'write for example eu-central-1');
  return {
    region: props.region,
    zones: props.zones,
    zoneIds: props.zoneIds,
    cluster: props.clusterFiles && readCluster(props.clusterFiles),
    controllerValues: props.helmValuesFile === undefined ? undefined : readHelmValues(props.helmValuesFile),
    karpenterVersion: props.karpenterVersion,
    catalogs: props.catalogFile === undefined ? undefined : [readRegionCatalog(props.catalogFile)],
    spotPriceRatio: props.spotPriceRatio,
    pricesFrom: props.pricesFrom,
    vmMemoryOverheadPercent: props.vmMemoryOverheadPercent,
    reservedENIs: props.reservedEnis,
    preferencePolicy: props.preferencePolicy,
    minValuesPolicy: props.minValuesPolicy,
    ignoreDraRequests: props.ignoreDraRequests,
    convertLegacy: v1ObjectsOf,
    storageClasses: props.storageClasses,
    priorityClasses: props.priorityClasses,
    systemDaemonSets: props.systemDaemonSets ?? SystemDaemonSets.EKS,
    featureGates: {
      ReservedCapacity: props.featureGates?.reservedCapacity,
      NodeOverlay: props.featureGates?.nodeOverlay,
      StaticCapacity: props.featureGates?.staticCapacity,
      CapacityBuffer: props.featureGates?.capacityBuffer,
      SpotToSpotConsolidation: props.featureGates?.spotToSpotConsolidation,
      NodeRepair: props.featureGates?.nodeRepair,
      TerminateFirstDrift: props.featureGates?.terminateFirstDrift,
      TerminateFirstRepair: props.featureGates?.terminateFirstRepair,
    },
  };
}

function readCluster(paths: readonly string[]): SourceFile[] {
  const reader = new SourceFileReader();
  for (const path of paths) reader.read(path);
  return reader.files;
}

/**
 * Drops the zones if they are placeholders: until the CDK has looked up the zones of an account, it returns `dummy1a`
 * and the like. It then synthesises again with the real zones.
 */
function withoutDummyZones(props: VerdictOptions): VerdictOptions {
  return props.zones?.some(hasDummyValue) ? { ...props, zones: undefined } : props;
}

/** With a region or zone that does not exist, no instance type would be available and every finding would be wrong. */
function checkRegionAndZones({ region, zones, zoneIds = {} }: VerdictOptions): void {
  const wrong = Object.values(zoneIds).find((id) => !/^[a-z]+\d+(-[a-z0-9]+)*-az\d+$/.test(id));
  if (wrong !== undefined) reject('zoneIds', 'not a zone id', wrong, 'write for example euw1-az3');
  if (region !== undefined && regionOfZone(`${region}a`) !== region) {
    reject('region', 'not an AWS region', region, `write ${regionOfZone(region) ?? 'for example eu-west-1'}`);
  }
  if (region !== undefined && !isRegion(region)) {
    reject('region', 'not an AWS region', region, `write ${nearestRegion(region) ?? 'for example eu-west-1'}`);
  }
  if (zones === undefined) return;
  if (zones.length === 0)
    throw new Error('zones: must name at least one zone, got none; omit it to use the zones of the region');
  const expectedRegion =
    region ?? zones.map(regionOfZone).find((zoneRegion) => zoneRegion !== undefined) ?? 'us-east-1';
  const foreign = zones.find((zone) => regionOfZone(zone) !== expectedRegion);
  if (foreign === undefined) return;
  const foreignRegion = regionOfZone(foreign);
  const remedy = /^[a-z]$/.test(foreign)
    ? `write ${expectedRegion}${foreign}`
    : `write zones such as ${expectedRegion}a`;
  reject(
    'zones',
    `not a zone of ${expectedRegion}`,
    foreign,
    foreignRegion === undefined || region === undefined
      ? remedy
      : `write region: ${foreignRegion}, or zones such as ${expectedRegion}a`,
  );
}

/** Karpenter accepts a percentage such as 7.5 too, but then no instance type has any memory left. */
function checkOverhead({ vmMemoryOverheadPercent: share }: VerdictOptions): void {
  if (share !== undefined && share >= 1)
    reject('vmMemoryOverheadPercent', 'not a fraction below 1', share, 'write for example 0.075');
}

function reject(option: string, problem: string, got: unknown, remedy: string): never {
  throw new Error(`${option}: ${problem}, got ${JSON.stringify(got)}; ${remedy}`);
}
