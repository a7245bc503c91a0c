import { HandlerSettings } from './model';
import { flag, tagCheckOfVariables, textOr } from './settings';
import { asRecord, handlerChart, NEWEST_HANDLER_CHART, NODE_TERMINATION_HANDLER, OLDEST_HANDLER_CHART } from '../../contract';
import { WorkloadManifest } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';
import { oncePer } from '../once-per';

/** The variables by the keys of the chart that make them. */
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
/** The first release that looks for its tag on instances. */
const LAST_MINOR_WITH_GROUPS = 16;

/** Of a Deployment or DaemonSet that the chart has rendered, or somebody like it: told by the image. Undefined for all others. */
export const settingsOfWorkload = oncePer(({ kind, object, podPath, replicas }: WorkloadManifest): HandlerSettings | undefined => {
  if (kind !== 'Deployment' && kind !== 'DaemonSet') return undefined;
  const pod = podPath.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
  const containers = recordsOf(pod?.containers);
  const at = containers.findIndex(({ image }) => typeof image === 'string' && IMAGE.test(image));
  if (!pod || at < 0) return undefined;
  const env = recordsOf(containers[at].env);
  const variable = (key: string) => valueOf(env.find(({ name }) => name === VARIABLES[key]));
  const minor = Number(/:v1\.(\d+)\./.exec(String(containers[at].image))?.[1] ?? Infinity);
  return {
    mode: flag(variable('enableSqsTerminationDraining'), false) ? 'queue' : 'metadata',
    queueUrl: textOr(variable('queueURL'), ''),
    region: textOr(variable('awsRegion'), ''),
    tagCheck: tagCheckOfVariables(handlerChart(minor > LAST_MINOR_WITH_GROUPS ? NEWEST_HANDLER_CHART : OLDEST_HANDLER_CHART), {
      check: variable('checkTagBeforeDraining'),
      tag: variable('managedTag'),
      groupCheck: variable('checkASGTagBeforeDraining'),
      groupTag: variable('managedAsgTag'),
    }),
    drainsOnInterruption: flag(variable('enableSpotInterruptionDraining'), true),
    drainsOnRebalance: flag(variable('enableRebalanceDraining'), false),
    ...kind === 'Deployment' ? { replicas } : {},
    placement: pod,
    priorityClass: textOr(pod.priorityClassName, ''),
    serviceAccount: textOr(pod.serviceAccountName, 'default'),
    makesServiceAccount: false,
    pathOf: () => [...podPath, 'containers', at, 'env'],
  };
});

/** An empty variable counts as none. */
function valueOf(variable: PlainRecord | undefined): unknown {
  if (!variable) return undefined;
  return variable.value === '' ? undefined : variable.value ?? '${valueFrom}';
}
