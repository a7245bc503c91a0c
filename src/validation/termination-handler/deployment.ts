import { HandlerSettings, flagSetting, tagCheckOfVariables, nonEmptyText } from './handler-settings';
import {
  appendItem,
  asRecord,
  handlerChart,
  NEWEST_HANDLER_CHART,
  NODE_TERMINATION_HANDLER,
  OLDEST_HANDLER_CHART,
  setField,
  unsafeFix,
} from '../../contract';
import { memoizeByIdentity, valueText } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/** The environment variables by the chart's keys. */
const VARIABLES: Readonly<Record<string, string>> = {
  queueURL: 'QUEUE_URL',
  awsRegion: 'AWS_REGION',
  checkTagBeforeDraining: 'CHECK_TAG_BEFORE_DRAINING',
  managedTag: 'MANAGED_TAG',
  checkASGTagBeforeDraining: 'CHECK_ASG_TAG_BEFORE_DRAINING',
  managedAsgTag: 'MANAGED_ASG_TAG',
  enableSqsTerminationDraining: 'ENABLE_SQS_TERMINATION_DRAINING',
  enableSpotInterruptionDraining: 'ENABLE_SPOT_INTERRUPTION_DRAINING',
  enableRebalanceDraining: 'ENABLE_REBALANCE_DRAINING',
};
const IMAGE = new RegExp(`(^|/)${NODE_TERMINATION_HANDLER}([:@]|$)`);
/** The last 1.x release that checks tags of Auto Scaling groups; later releases check tags of instances. */
const LAST_MINOR_WITH_GROUPS = 16;

/** The settings of the handler's Deployment or DaemonSet, recognised by its image; undefined for other workloads. */
export const settingsOfWorkload = memoizeByIdentity(
  ({ kind, object, podPath, replicas }: WorkloadManifest): HandlerSettings | undefined => {
    if (kind !== 'Deployment' && kind !== 'DaemonSet') return undefined;
    const pod = podPath.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
    const containers = recordsOf(pod?.containers);
    const index = containers.findIndex(({ image }) => typeof image === 'string' && IMAGE.test(image));
    if (!pod || index < 0) return undefined;
    const env = recordsOf(containers[index].env);
    const variable = (key: string) => valueOf(env.find(({ name }) => name === VARIABLES[key]));
    const minor = Number(/:v1\.(\d+)\./.exec(valueText(containers[index].image))?.[1] ?? Infinity);
    return {
      mode: flagSetting(variable('enableSqsTerminationDraining'), false) ? 'queue' : 'metadata',
      queueUrl: nonEmptyText(variable('queueURL'), ''),
      region: nonEmptyText(variable('awsRegion'), ''),
      tagCheck: tagCheckOfVariables(
        handlerChart(minor > LAST_MINOR_WITH_GROUPS ? NEWEST_HANDLER_CHART : OLDEST_HANDLER_CHART),
        {
          check: variable('checkTagBeforeDraining'),
          tag: variable('managedTag'),
          groupCheck: variable('checkASGTagBeforeDraining'),
          groupTag: variable('managedAsgTag'),
        },
      ),
      drainsOnInterruption: flagSetting(variable('enableSpotInterruptionDraining'), true),
      drainsOnRebalance: flagSetting(variable('enableRebalanceDraining'), false),
      ...(kind === 'Deployment' ? { replicas } : {}),
      placement: pod,
      priorityClass: nonEmptyText(pod.priorityClassName, ''),
      serviceAccount: nonEmptyText(pod.serviceAccountName, 'default'),
      makesServiceAccount: false,
      pathOf: () => [...podPath, 'containers', index, 'env'],
      fixOf: (key, value) => {
        const path = [...podPath, 'containers', index, 'env'];
        const position = env.findIndex(({ name }) => name === VARIABLES[key]);
        if (env[position]?.valueFrom !== undefined) return undefined;
        const edit =
          position < 0
            ? appendItem(path, { name: VARIABLES[key], value })
            : setField([...path, position, 'value'], value);
        return unsafeFix(edit);
      },
    };
  },
);

/** The value of a variable; an empty one counts as unset. */
function valueOf(variable: PlainRecord | undefined): unknown {
  if (!variable) return undefined;
  return variable.value === '' ? undefined : (variable.value ?? '${valueFrom}');
}
