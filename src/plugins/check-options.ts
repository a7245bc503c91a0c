import { hasStandIn } from '../contract';
import { CheckOptions, isRegion, nearestRegion, readHelmValues, SourceFile, SourceFileReader, regionOfZone } from '../validation';
import { VerdictOptions } from './verdict-options';

/**
 * The options of the validator, from the props of a verdict.
 *
 * @throws Error if an option has a value that would be about no cluster there is: `<option>: <what is wrong>, got
 * <value>; <what to write instead>`
 */
export function checkOptions(given: VerdictOptions): CheckOptions {
  const props = withoutStandIns(given);
  checkPlace(props);
  checkOverhead(props);
  return {
    region: props.region,
    zones: props.zones,
    cluster: props.clusterFiles && readCluster(props.clusterFiles),
    controllerValues: props.helmValuesFile === undefined ? undefined : readHelmValues(props.helmValuesFile),
    karpenterVersion: props.karpenterVersion,
    spotPriceRatio: props.spotPriceRatio,
    vmMemoryOverheadPercent: props.vmMemoryOverheadPercent,
    reservedENIs: props.reservedEnis,
    preferencePolicy: props.preferencePolicy,
    minValuesPolicy: props.minValuesPolicy,
    ignoreDraRequests: props.ignoreDraRequests,
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
 * Before it has looked up the zones of an account, the CDK has `dummy1a` and the like: it knows them when it
 * synthesises once more.
 */
function withoutStandIns(props: VerdictOptions): VerdictOptions {
  return props.zones?.some(hasStandIn) ? { ...props, zones: undefined } : props;
}

/** In a region or a zone that is none everything would be judged by what there is not. */
function checkPlace({ region, zones }: VerdictOptions): void {
  if (region !== undefined && regionOfZone(`${region}a`) !== region) {
    reject('region', 'not a region', region, `write ${regionOfZone(region) ?? 'for example eu-west-1'}`);
  }
  if (region !== undefined && !isRegion(region)) {
    reject('region', 'not an AWS region', region, `write ${nearestRegion(region) ?? 'for example eu-west-1'}`);
  }
  if (zones === undefined) return;
  if (zones.length === 0) throw new Error('zones: must name a zone, got none; leave it out for those that the region has');
  const own = region ?? zones.map(regionOfZone).find((known) => known !== undefined) ?? 'us-east-1';
  const foreign = zones.find((zone) => regionOfZone(zone) !== own);
  if (foreign === undefined) return;
  const other = regionOfZone(foreign);
  const remedy = /^[a-z]$/.test(foreign) ? `write ${own}${foreign}` : `write zones such as ${own}a`;
  reject('zones', `a zone that is not in ${own}`, foreign, other === undefined || region === undefined ? remedy : `write region: ${other}, or zones such as ${own}a`);
}

/** Karpenter takes 7.5 as well, and then no instance type has any memory. */
function checkOverhead({ vmMemoryOverheadPercent: share }: VerdictOptions): void {
  if (share !== undefined && share >= 1) reject('vmMemoryOverheadPercent', 'not a fraction below 1', share, 'write for example 0.075');
}

function reject(option: string, problem: string, got: unknown, remedy: string): never {
  throw new Error(`${option}: ${problem}, got ${JSON.stringify(got)}; ${remedy}`);
}
