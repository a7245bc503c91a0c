/** AWS Node Termination Handler, as far as it does what Karpenter would do on an interruption. */
import { asRecord, MANAGED_TAG, NODE_TERMINATION_HANDLER } from '../../../contract';
import { isChart } from '../../controller';
import { Answer, anyOf, AwsModel, HelmRelease, Queue } from '../../template';
import { RuleContext } from '../rule';

export function handlersIn(releases: AwsModel['helmReleases']): HelmRelease[] {
  return releases.filter((release) => isChart(release, NODE_TERMINATION_HANDLER));
}

export function readsFrom({ values }: HelmRelease, { url, name }: Queue): boolean {
  const queueUrl = values?.queueURL;
  return typeof queueUrl === 'string' && (queueUrl === url || queueUrl.endsWith(`/${name}`));
}

/** Whether a handler in the cluster drains nodes of Karpenter that EC2 interrupts. */
export function handlesSpotNodes({ model }: RuleContext): Answer {
  const tags = new Set(model.nodeClasses.flatMap(({ object }) => Object.keys(asRecord(asRecord(object.raw.spec)?.tags) ?? {})));
  return anyOf(handlersIn(model.aws.helmReleases).map(({ values }) => {
    if (!values) return 'unknown';
    return values.enableSqsTerminationDraining === true ? handlesByQueue(values, tags) : handlesByMetadata(values);
  }));
}

/** Instances without the tag are passed over; Karpenter writes that of the cluster on each of its own. */
function handlesByQueue(values: Readonly<Record<string, unknown>>, tagsOfNodes: ReadonlySet<string>): Answer {
  if (values.checkTagBeforeDraining === false || values.checkASGTagBeforeDraining === false) return 'yes';
  const tag = values.managedTag ?? MANAGED_TAG;
  if (typeof tag !== 'string') return 'unknown';
  return tag.startsWith('kubernetes.io/cluster/') || tagsOfNodes.has(tag) ? 'yes' : 'no';
}

function handlesByMetadata(values: Readonly<Record<string, unknown>>): Answer {
  if (values.enableSpotInterruptionDraining === false) return 'no';
  const placement = [values.daemonsetAffinity, values.affinity, values.linuxAffinity, values.nodeSelector, values.daemonsetNodeSelector];
  return placement.some((part) => JSON.stringify(part)?.includes('karpenter.sh/')) ? 'unknown' : 'yes';
}
