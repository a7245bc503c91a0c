import { asRecord, FEATURE_GATES } from '../../contract';
import { nearestName } from '../../model';
import { PlainRecord } from '../manifest/records';

/** Keys of Karpenter's chart by the path of their mapping. Mappings that are not listed take any key. */
type ChartKeys = Readonly<Record<string, readonly string[]>>;

const gatesOf = (owner: string) =>
  Object.values(FEATURE_GATES).flatMap((gate): string[] => (gate.owner === owner ? [gate.setting] : []));

/**
 * The keys of all releases together, so that a key of another release is never taken for an unknown one.
 *
 * Source: charts/karpenter/values.yaml and the templates of Karpenter for AWS 1.0.0 to 1.14.1.
 */
const CHART_KEYS: ChartKeys = {
  '': (
    'additionalAnnotations additionalClusterRoleRules additionalLabels affinity controller dnsConfig dnsPolicy ' +
    'extraVolumes fullnameOverride global hostNetwork imagePullPolicy imagePullSecrets initContainers ' +
    'logErrorOutputPaths logLevel logOutputPaths nameOverride nodeSelector podAnnotations podDisruptionBudget ' +
    'podLabels podSecurityContext postInstallHook priorityClassName replicas revisionHistoryLimit schedulerName ' +
    'service serviceAccount serviceMonitor settings strategy terminationGracePeriodSeconds tolerations ' +
    'topologySpreadConstraints webhook'
  ).split(' '),
  controller: (
    'containerName env envFrom extraVolumeMounts healthProbe image metrics resources securityContext ' +
    'sidecarContainer sidecarVolumeMounts'
  ).split(' '),
  serviceAccount: ['annotations', 'create', 'name'],
  settings: (
    'amiRefreshInterval awsFeatureGates batchIdleDuration batchMaxDuration clusterCABundle clusterEndpoint ' +
    'clusterName disableClusterStateObservability disableDryRun eksControlPlane enableDRA enableZonalShift ' +
    'featureGates ignoreDRARequests interruptionQueue isolatedVPC legacyNodeRepair minValuesPolicy preferencePolicy ' +
    'reservedENIs securityGroupRefreshInterval subnetRefreshInterval vmMemoryOverheadPercent'
  ).split(' '),
  // The chart of 1.8.0 spelled one gate with a capital.
  'settings.featureGates': [...gatesOf('core'), 'StaticCapacity'],
  'settings.awsFeatureGates': gatesOf('aws'),
};

/** A key that the chart does not have, with the key that is meant. */
export interface UnreadValue {
  readonly path: readonly string[];
  readonly meant: readonly string[];
}

/**
 * The keys that the chart does not have, and that are known at another level or misspelt. Helm ignores them without a
 * word. Keys that resemble none may belong to another release, and are left out.
 */
export function unreadValues(values: PlainRecord): UnreadValue[] {
  return Object.keys(CHART_KEYS).flatMap((mapping) => {
    const path = mapping === '' ? [] : mapping.split('.');
    const written = path.reduce<PlainRecord | undefined>((record, key) => asRecord(record?.[key]), values);
    return Object.keys(written ?? {}).flatMap((key): UnreadValue[] => {
      if (CHART_KEYS[mapping].includes(key)) return [];
      const meant = meantKey(mapping, key);
      return meant === undefined ? [] : [{ path: [...path, key], meant }];
    });
  });
}

/** The same key at the only other level that has it, or else the nearest key of the same level. */
function meantKey(mapping: string, key: string): readonly string[] | undefined {
  const pathOf = (level: string, name: string) => [...(level === '' ? [] : level.split('.')), name];
  const levels = Object.keys(CHART_KEYS).filter((level) => level !== mapping && CHART_KEYS[level].includes(key));
  if (levels.length === 1) return pathOf(levels[0], key);
  const near = levels.length === 0 ? nearestName(key, CHART_KEYS[mapping]) : undefined;
  return near === undefined ? undefined : pathOf(mapping, near);
}
