import { asRecord } from '../../../contract';
import { mostAlike } from '../../../model';
import { PlainRecord } from '../../manifest/records';

/** A key under `settings` of the chart's values that nothing reads, and that was meant to be another. */
export interface UnreadSetting {
  readonly path: readonly string[];
  /** The path that is read. */
  readonly meant: readonly string[];
}

/** Source: charts/karpenter/values.yaml of Karpenter for AWS 1.15.1. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  '': [
    'batchMaxDuration', 'batchIdleDuration', 'preferencePolicy', 'minValuesPolicy', 'clusterCABundle', 'clusterName', 'clusterEndpoint', 'isolatedVPC',
    'eksControlPlane', 'vmMemoryOverheadPercent', 'interruptionQueue', 'enableZonalShift', 'reservedENIs', 'enableDRA', 'ignoreDRARequests', 'legacyNodeRepair',
    'disableClusterStateObservability', 'disableDryRun', 'amiRefreshInterval', 'subnetRefreshInterval', 'securityGroupRefreshInterval', 'featureGates',
    'awsFeatureGates',
  ],
  'featureGates': [
    'nodeRepair', 'nodeOverlay', 'reservedCapacity', 'spotToSpotConsolidation', 'staticCapacity', 'capacityBuffer', 'terminateFirstDrift',
    'terminateFirstRepair', 'podDeletionCostManagement',
  ],
  'awsFeatureGates': ['nodeClassCEL', 'draNVIDIAGPU', 'draEFA', 'rebootForRepair'],
};

/** Names of charts before 0.32, where they have another one now. */
const EARLIER: Readonly<Record<string, string>> = { interruptionQueueName: 'interruptionQueue', aws: '' };

/**
 * Only keys that are almost one of the chart's, or were one: what other releases of the chart read is not known.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
export function unreadSettings(settings: PlainRecord): UnreadSetting[] {
  return Object.entries(SETTINGS).flatMap(([map, known]) => {
    const at = map === '' ? [] : [map];
    const given = map === '' ? settings : asRecord(settings[map]) ?? {};
    return Object.keys(given).filter((key) => !known.includes(key)).flatMap((key) => {
      const meant = map === '' && Object.hasOwn(EARLIER, key) ? EARLIER[key] : mostAlike(key, known);
      return meant === undefined ? [] : [{ path: [...at, key], meant: meant === '' ? at : [...at, meant] }];
    });
  });
}
