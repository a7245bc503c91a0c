import { CheckOptions, readHelmValues, SourceFile, SourceFileReader } from '../validation';
import { VerdictOptions } from './verdict-options';

/** What the validator is told by the props of a verdict. */
export function checkOptions(props: VerdictOptions): CheckOptions {
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
