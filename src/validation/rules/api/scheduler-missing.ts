import { safeFix, setField } from '../../../contract';
import { nearestName } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, unknown } from '../define-rule';
import { workloads } from '../subjects';

const DEFAULT_SCHEDULER = 'default-scheduler';
/** The default scheduler, and the names of published ones. */
const SCHEDULERS = [
  DEFAULT_SCHEDULER,
  'kai-scheduler',
  'koord-scheduler',
  'scheduler-plugins-scheduler',
  'stork',
  'volcano',
  'yunikorn',
];

/**
 * Karpenter launches nodes for pods with the condition PodScheduled: False of reason Unschedulable, which only a
 * scheduler writes.
 *
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers/
 */
export const schedulerMissing = defineRule({
  id: 'KARP-121',
  name: 'scheduler-missing',
  severity: 'error',
  summary: 'A workload misspells its scheduler: nobody schedules its pods, and Karpenter launches no node for them.',
  subjects: workloads(),
  judge(workload) {
    const name: unknown = podSpecOf(workload)?.schedulerName;
    if (typeof name !== 'string' || name === '') return NOT_APPLICABLE;
    if (findUnresolved(name) !== undefined) return unknown('its scheduler is known only at deployment');
    if (SCHEDULERS.includes(name)) return undefined;
    const nearest = nearestName(name, SCHEDULERS);
    if (nearest === undefined) return unknown(`whether the cluster runs a scheduler ${name} is not known`);
    const path = [...workload.podPath, 'schedulerName'];
    return {
      path,
      message:
        `names the scheduler ${name}, which looks like ${nearest} misspelt: if no scheduler has this name, its pods stay Pending without ` +
        'an event, and Karpenter launches no node, because it waits for a scheduler to call them unschedulable',
      remedy: `write schedulerName: ${nearest}${nearest === DEFAULT_SCHEDULER ? ', or remove the field' : ''}`,
      evidence: { schedulerName: name, nearest },
      fix: safeFix(setField(path, nearest)),
    };
  },
});
