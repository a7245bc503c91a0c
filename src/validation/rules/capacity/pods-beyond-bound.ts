import { MAX_PODS } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { fail, Outcome, Rule, RuleContext } from '../rule';

/** Workloads that one check does not schedule, because all pods together are more than the solver takes. */
export const podsBeyondBound: Rule = {
  id: 'KARP-320',
  name: 'pods-beyond-bound',
  severity: 'error',
  summary: 'A workload has more pods than one check schedules, so its pods are not evaluated: they may have no node.',
  check({ model, plan }: RuleContext): Outcome[] {
    const left = new Map(
      plan.notEvaluated.flatMap(({ group, count }) => (count === undefined ? [] : [[group, count]])),
    );
    if (left.size === 0) return [];
    return model.workloads.flatMap((workload) => {
      const pods = podGroupIndices(workload).reduce((sum, group) => sum + (left.get(group) ?? 0), 0);
      if (pods === 0) return [];
      return [
        fail({
          object: workload.object,
          path: ['spec', 'replicas'],
          message: `${pods} of its pods are not evaluated, because one check schedules at most ${MAX_PODS} pods of all workloads together`,
          remedy:
            'lower replicas if they are a mistake; otherwise check fewer workloads at once, or this one with fewer replicas',
          evidence: { pods, maxPods: MAX_PODS },
        }),
      ];
    });
  },
};
