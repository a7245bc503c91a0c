import { HandlerSettings, flagSetting, tagCheckOfChart, nonEmptyText } from './handler-settings';
import { asRecord, handlerChart, NEWEST_HANDLER_CHART, NODE_TERMINATION_HANDLER } from '../../contract';
import { valueText } from '../../model';
import { chartFullName, chartValue, InstalledChart } from '../controller';
import { findUnresolved } from '../manifest/find-unresolved';
import { mergedValues } from '../manifest/helm-values';
import { PlainRecord } from '../manifest/records';

/**
 * The defaults of the handler's chart for the values that rules check.
 *
 * Source: config/helm/aws-node-termination-handler/values.yaml of AWS Node Termination Handler 1.25.1.
 */
const CHART_DEFAULTS = {
  replicas: 1,
  priorityClassName: 'system-cluster-critical',
  daemonsetPriorityClassName: 'system-node-critical',
  daemonsetAffinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] }] },
        ],
      },
    },
  },
  daemonsetTolerations: [{ operator: 'Exists' }],
};

/** The handler's settings; undefined if they are known only at deployment. */
export function settingsOfRelease(release: InstalledChart): HandlerSettings | undefined {
  if (!release.values || findUnresolved(release.values.enableSqsTerminationDraining) !== undefined) return undefined;
  const values = mergedValues(CHART_DEFAULTS, release.values);
  const chart = handlerChart(
    /^v?\d+\.\d+\.\d+$/.test(release.version ?? '') ? release.version!.replace(/^v/, '') : NEWEST_HANDLER_CHART,
  );
  const isQueueMode = flagSetting(values.enableSqsTerminationDraining, false);
  return {
    mode: isQueueMode ? 'queue' : 'metadata',
    queueUrl: nonEmptyText(values.queueURL, ''),
    region: nonEmptyText(values.awsRegion, ''),
    tagCheck: tagCheckOfChart(chart, {
      check: values.checkTagBeforeDraining,
      tag: values.managedTag,
      groupCheck: values.checkASGTagBeforeDraining,
      groupTag: values.managedAsgTag,
    }),
    drainsOnInterruption: flagSetting(values.enableSpotInterruptionDraining, true),
    drainsOnRebalance: flagSetting(values.enableRebalanceDraining, false),
    ...(isQueueMode ? { replicas: typeof values.replicas === 'number' ? values.replicas : undefined } : {}),
    placement: isQueueMode ? placementOfDeployment(values) : placementOfDaemonSet(values),
    priorityClass: nonEmptyText(isQueueMode ? values.priorityClassName : values.daemonsetPriorityClassName, ''),
    // The chart creates no PodDisruptionBudget for a single replica.
    hasBudget: isFilled(values.podDisruptionBudget) && Number(valueText(values.replicas)) > 1,
    ...serviceAccountOf(release, values),
    pathOf: (key) => release.pathOf(key),
  };
}

function serviceAccountOf(release: InstalledChart, values: PlainRecord) {
  const makesServiceAccount = flagSetting(chartValue(values, 'serviceAccount', 'create'), true);
  const name = nonEmptyText(chartValue(values, 'serviceAccount', 'name'), '');
  const roleArn = asRecord(chartValue(values, 'serviceAccount', 'annotations'))?.['eks.amazonaws.com/role-arn'];
  return {
    serviceAccount:
      name || (makesServiceAccount ? chartFullName(values, release.release, NODE_TERMINATION_HANDLER) : 'default'),
    makesServiceAccount,
    ...(typeof roleArn === 'string' ? { roleArn } : {}),
  };
}

function placementOfDeployment({ nodeSelector, affinity, tolerations }: PlainRecord): PlainRecord {
  return { nodeSelector, affinity, tolerations };
}

/** The first non-empty value of each kind, as the chart's template chooses. */
function placementOfDaemonSet(values: PlainRecord): PlainRecord {
  const first = (...keys: string[]) => values[keys.find((key) => isFilled(values[key])) ?? keys[0]];
  return {
    nodeSelector: first('linuxNodeSelector', 'nodeSelector', 'daemonsetNodeSelector'),
    affinity: first('linuxAffinity', 'affinity', 'daemonsetAffinity'),
    tolerations: first('linuxTolerations', 'tolerations', 'daemonsetTolerations'),
  };
}

/** Whether a value is set. A string is a token here, because the values are lists and maps. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return Array.isArray(value) ? value.length > 0 : Object.keys(asRecord(value) ?? {}).length > 0;
}
