import { HandlerSettings } from './model';
import { flag, tagCheckOfChart, textOr } from './settings';
import { asRecord, handlerChart, NEWEST_HANDLER_CHART, NODE_TERMINATION_HANDLER } from '../../contract';
import { isChart, mergedValues, nameOfChart, valueAt } from '../controller';
import { PlainRecord } from '../manifest/records';
import { findUnresolved } from '../rules/private/unresolved';
import { HelmRelease } from '../template';

/**
 * What of its values the chart fills in, where rules look at it.
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
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] }] }],
      },
    },
  },
  daemonsetTolerations: [{ operator: 'Exists' }],
};

export function isHandler(release: HelmRelease): boolean {
  return isChart(release, NODE_TERMINATION_HANDLER);
}

/** Undefined where they are known only at deployment. */
export function settingsOfRelease(release: HelmRelease): HandlerSettings | undefined {
  if (!release.values || findUnresolved(release.values.enableSqsTerminationDraining) !== undefined) return undefined;
  const values = mergedValues(CHART_DEFAULTS, release.values);
  const chart = handlerChart(/^v?\d+\.\d+\.\d+$/.test(release.version ?? '') ? release.version!.replace(/^v/, '') : NEWEST_HANDLER_CHART);
  const byQueue = flag(values.enableSqsTerminationDraining, false);
  return {
    mode: byQueue ? 'queue' : 'metadata',
    queueUrl: textOr(values.queueURL, ''),
    region: textOr(values.awsRegion, ''),
    tagCheck: tagCheckOfChart(chart, {
      check: values.checkTagBeforeDraining, tag: values.managedTag, groupCheck: values.checkASGTagBeforeDraining, groupTag: values.managedAsgTag,
    }),
    drainsOnInterruption: flag(values.enableSpotInterruptionDraining, true),
    drainsOnRebalance: flag(values.enableRebalanceDraining, false),
    ...byQueue ? { replicas: typeof values.replicas === 'number' ? values.replicas : undefined } : {},
    placement: byQueue ? placementOfDeployment(values) : placementOfDaemonSet(values),
    priorityClass: textOr(byQueue ? values.priorityClassName : values.daemonsetPriorityClassName, ''),
    // The chart makes none for a single replica.
    hasBudget: isFilled(values.podDisruptionBudget) && Number(values.replicas) > 1,
    ...serviceAccountOf(release, values),
    pathOf: () => ['Properties', 'Values'],
  };
}

function serviceAccountOf(release: HelmRelease, values: PlainRecord) {
  const makesServiceAccount = flag(valueAt(values, 'serviceAccount', 'create'), true);
  const given = textOr(valueAt(values, 'serviceAccount', 'name'), '');
  const roleArn = asRecord(valueAt(values, 'serviceAccount', 'annotations'))?.['eks.amazonaws.com/role-arn'];
  return {
    serviceAccount: given || (makesServiceAccount ? nameOfChart(values, release.release, NODE_TERMINATION_HANDLER) : 'default'),
    makesServiceAccount,
    ...typeof roleArn === 'string' ? { roleArn } : {},
  };
}

function placementOfDeployment({ nodeSelector, affinity, tolerations }: PlainRecord): PlainRecord {
  return { nodeSelector, affinity, tolerations };
}

/** The first that is filled in, as the chart's template chooses. */
function placementOfDaemonSet(values: PlainRecord): PlainRecord {
  const first = (...keys: string[]) => values[keys.find((key) => isFilled(values[key])) ?? keys[0]];
  return {
    nodeSelector: first('linuxNodeSelector', 'nodeSelector', 'daemonsetNodeSelector'),
    affinity: first('linuxAffinity', 'affinity', 'daemonsetAffinity'),
    tolerations: first('linuxTolerations', 'tolerations', 'daemonsetTolerations'),
  };
}

/** A text is there only as a token. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return Array.isArray(value) ? value.length > 0 : Object.keys(asRecord(value) ?? {}).length > 0;
}
