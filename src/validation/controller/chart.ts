import { settingsOfChart } from './container-settings';
import { asRecord } from '../../contract';
import { mergedValues } from '../manifest/helm-values';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/**
 * The defaults of Karpenter's chart for the values that rules check.
 *
 * Source: charts/karpenter/values.yaml of Karpenter for AWS 1.15.1.
 */
const CHART_DEFAULTS = {
  replicas: 2,
  serviceAccount: { create: true, name: '' },
  priorityClassName: 'system-cluster-critical',
  podDisruptionBudget: { maxUnavailable: 1 },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] }],
      },
    },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname' }] },
  },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
  controller: { resources: {} },
  settings: { clusterName: '', interruptionQueue: '', isolatedVPC: false, enableZonalShift: false },
};

/** The value that the chart has for a path, if it is listed above. */
export function chartDefault(path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => asRecord(value)?.[key], CHART_DEFAULTS);
}

/** The name of Karpenter's chart, which is also the default name of its objects. */
export const CHART_NAME = 'karpenter';
export const CRD_CHART_NAME = 'karpenter-crd';

/**
 * Whether a release is of the chart with this name, from any repository. `oci://public.ecr.aws/karpenter` names no chart,
 * because it has several.
 */
export function isChart({ chart, repository }: Pick<HelmRelease, 'chart' | 'repository'>, name: string): boolean {
  return (chart || repository).replace(/\/+$/, '').split('/').pop() === name;
}

/** The values with the chart's defaults and with the settings that environment variables override. */
export function effectiveValues(given: PlainRecord): PlainRecord {
  const values = mergedValues(CHART_DEFAULTS, given);
  return { ...values, settings: settingsOfChart(values) };
}

/**
 * Helm's "fullname" of a release's objects: the release name if it contains the chart name, else `<release>-<chart>`.
 * `fullnameOverride` and `nameOverride` take precedence.
 */
export function chartFullName(values: PlainRecord, release: string | undefined, chart: string): string {
  const { fullnameOverride, nameOverride } = values;
  if (typeof fullnameOverride === 'string' && fullnameOverride !== '') return fullnameOverride.slice(0, 63);
  const chartName = typeof nameOverride === 'string' && nameOverride !== '' ? nameOverride : chart;
  const name = release ?? chartName;
  return (name.includes(chartName) ? name : `${name}-${chartName}`).slice(0, 63).replace(/-$/, '');
}

/** The labels of Karpenter's pods: `podLabels` of the values, and the selector labels, which take precedence. */
export function podLabelsOfChart({ nameOverride, podLabels }: PlainRecord, release: string): Record<string, string> {
  return {
    ...stringEntries(podLabels),
    'app.kubernetes.io/name': typeof nameOverride === 'string' && nameOverride !== '' ? nameOverride : CHART_NAME,
    'app.kubernetes.io/instance': release,
  };
}

/** The entries of a map whose values are strings. */
export function stringEntries(raw: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asRecord(raw) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
