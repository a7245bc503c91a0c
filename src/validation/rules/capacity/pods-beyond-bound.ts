import { memoizeByIdentity } from '../../../model';
import { MAX_PODS } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { WorkloadManifest } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

/** Workloads that one check does not schedule, because all pods together are more than the solver takes. */
export const podsBeyondBound = defineRule({
  id: 'KARP-320',
  name: 'pods-beyond-bound',
  severity: 'error',
  summary: 'A workload has more pods than one check schedules, so its pods are not evaluated: they may have no node.',
  subjects: workloads({ where: (workload, context) => podsLeft(context, workload) > 0 }),
  judge(workload, context) {
    const pods = podsLeft(context, workload);
    return {
      path: ['spec', 'replicas'],
      message: `${pods} of its pods are not evaluated, because one check schedules at most ${MAX_PODS} pods of all workloads together`,
      remedy:
        'lower replicas if they are a mistake; otherwise check fewer workloads at once, or this one with fewer replicas',
      evidence: { pods, maxPods: MAX_PODS },
    };
  },
});

function podsLeft(context: RuleContext, workload: WorkloadManifest): number {
  const left = leftByGroup(context);
  return podGroupIndices(workload).reduce((sum, group) => sum + (left.get(group) ?? 0), 0);
}

const leftByGroup = memoizeByIdentity(
  ({ plan }: RuleContext) =>
    new Map(plan.notEvaluated.flatMap(({ group, count }) => (count === undefined ? [] : [[group, count] as const]))),
);
