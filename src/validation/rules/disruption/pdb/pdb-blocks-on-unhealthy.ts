import { setField, unsafeFix } from '../../../../contract';
import { findUnresolved } from '../../common/unresolved';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy */
export const pdbBlocksOnUnhealthy: Rule = {
  id: 'KARP-413',
  name: 'pdb-blocks-on-unhealthy',
  severity: 'info',
  isWorkloadAdvice: true,
  summary: 'A PodDisruptionBudget also protects pods that are not ready: a pod in a crash loop can block a drain.',
  check({ model }: RuleContext): Outcome[] {
    return model.pdbs.map(({ object }) => {
      const policy = object.raw?.spec?.unhealthyPodEvictionPolicy;
      const unknown = findUnresolved(policy);
      if (unknown !== undefined) return notEvaluated(object, `the value of ${unknown} is known only at deployment`);
      if (policy === 'AlwaysAllow') return pass(object);
      return fail({
        object,
        path: ['spec', 'unhealthyPodEvictionPolicy'],
        message:
          'pods that are not ready cannot be evicted while it allows no disruption: a pod in a crash loop blocks the drain of its node',
        remedy: 'write unhealthyPodEvictionPolicy: AlwaysAllow',
        evidence: { unhealthyPodEvictionPolicy: policy ?? null },
        fix: unsafeFix(setField(['spec', 'unhealthyPodEvictionPolicy'], 'AlwaysAllow')),
      });
    });
  },
};
