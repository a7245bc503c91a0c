import { settingsOfChart } from './container-settings';
import { asRecord } from '../../contract';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/**
 * What of its values Karpenter's chart fills in, where rules look at it.
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

/** The name that the chart gives to what it makes, of a release of any name. */
export const CHART_NAME = 'karpenter';
export const CRD_CHART_NAME = 'karpenter-crd';

/** Whether a release is of the chart of this name, from upstream's repository or a copy of it. */
export function isChart({ chart, repository }: Pick<HelmRelease, 'chart' | 'repository'>, name: string): boolean {
  return [chart, repository].some((text) => text.replace(/\/+$/, '').split('/').pop() === name);
}

/** What the chart makes of values, its own ones and variables put in: maps are merged key by key, anything else replaces, and null deletes, as Helm has it. */
export function effectiveValues(given: PlainRecord): PlainRecord {
  const values = mergedValues(CHART_DEFAULTS, given);
  return { ...values, settings: settingsOfChart(values) };
}

/** Values of a chart over its own. */
export function mergedValues(defaults: PlainRecord, given: PlainRecord): PlainRecord {
  const result: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    const [lower, upper] = [asRecord(result[key]), asRecord(value)];
    if (value === null) delete result[key];
    else result[key] = lower && upper ? mergedValues(lower, upper) : value;
  }
  return result;
}

/** The name that a chart of upstream's form gives to what it makes: its own one where the release has it in its name, that of the release and its own where not. */
export function nameOfChart(values: PlainRecord, release: string | undefined, chart: string): string {
  const { fullnameOverride, nameOverride } = values;
  if (typeof fullnameOverride === 'string' && fullnameOverride !== '') return fullnameOverride.slice(0, 63);
  const own = typeof nameOverride === 'string' && nameOverride !== '' ? nameOverride : chart;
  const name = release ?? own;
  return (name.includes(own) ? name : `${name}-${own}`).slice(0, 63).replace(/-$/, '');
}

/** The labels that the chart gives to Karpenter's pods: its selector's, and further ones that never replace these. */
export function podLabelsOfChart({ nameOverride, podLabels }: PlainRecord, release: string): Record<string, string> {
  return {
    ...textsIn(podLabels),
    'app.kubernetes.io/name': typeof nameOverride === 'string' && nameOverride !== '' ? nameOverride : CHART_NAME,
    'app.kubernetes.io/instance': release,
  };
}

export function textsIn(raw: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asRecord(raw) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
