import { DO_NOT_DISRUPT } from '../../../contract';
import { formatGoDuration } from '../../../model';
import { child, EditableWorkload } from '../editable-workload';
import { requireNodeLabel } from '../node-affinity';
import { Settings } from '../settings';

/** Karpenter evicts pods of this priority class last, and the scheduler preempts other pods for them. */
const NODE_CRITICAL = 'system-node-critical';
const COMPUTE_TYPE = 'eks.amazonaws.com/compute-type';

export function priorityClass({ pod }: EditableWorkload, { props: given }: Settings): undefined {
  if (pod.priority === undefined) pod.priorityClassName ??= given.daemonSetPriorityClass ?? NODE_CRITICAL;
}

export function notOnFargate({ pod }: EditableWorkload): undefined {
  requireNodeLabel(pod, COMPUTE_TYPE, 'NotIn', ['fargate']);
}

/** Limits the protection to the deadline of the Job, if it has one: no pod runs longer. */
export function batchProtection(
  { kind, spec, pod, template }: EditableWorkload,
  { props: given }: Settings,
): undefined {
  const job = kind === 'CronJob' ? spec.jobTemplate?.spec : spec;
  const deadlines = [job?.activeDeadlineSeconds, pod.activeDeadlineSeconds].filter(
    (seconds) => Number.isSafeInteger(seconds) && seconds > 0,
  );
  const value = given.doNotDisrupt?.value ?? (deadlines.length > 0 ? formatGoDuration(Math.min(...deadlines)) : 'true');
  child(child(template, 'metadata'), 'annotations')[DO_NOT_DISRUPT] ??= value;
}
