import { setField, unsafeFix } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { defineRule } from '../../define-rule';
import { pdbs } from '../../subjects';

/** @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy */
export const pdbBlocksOnUnhealthy = defineRule({
  id: 'KARP-413',
  name: 'pdb-blocks-on-unhealthy',
  severity: 'info',
  isWorkloadAdvice: true,
  summary: 'A PodDisruptionBudget also protects pods that are not ready: a pod in a crash loop can block a drain.',
  subjects: pdbs({ unknown: ({ object }) => whyUnresolved(object.raw?.spec?.unhealthyPodEvictionPolicy) }),
  judge({ object }) {
    const policy = object.raw?.spec?.unhealthyPodEvictionPolicy;
    if (policy === 'AlwaysAllow') return undefined;
    return {
      path: ['spec', 'unhealthyPodEvictionPolicy'],
      message:
        'pods that are not ready cannot be evicted while it allows no disruption: a pod in a crash loop blocks the drain of its node',
      remedy: 'write unhealthyPodEvictionPolicy: AlwaysAllow',
      evidence: { unhealthyPodEvictionPolicy: policy ?? null },
      fix: unsafeFix(setField(['spec', 'unhealthyPodEvictionPolicy'], 'AlwaysAllow')),
    };
  },
});
