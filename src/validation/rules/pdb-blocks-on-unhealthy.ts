import { fail, notEvaluated, pass } from './private/outcome';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy */
export class PdbBlocksOnUnhealthy implements Rule {
  public readonly id = 'KARP-413';
  public readonly name = 'pdb-blocks-on-unhealthy';
  public readonly severity = 'info';
  public readonly summary = 'A PodDisruptionBudget keeps pods that are not ready: one that crashes over and over holds its node.';

  public check({ model }: RuleContext): Outcome[] {
    return model.pdbs.map(({ object }) => {
      const policy = object.raw?.spec?.unhealthyPodEvictionPolicy;
      const unknown = findUnresolved(policy);
      if (unknown !== undefined) return notEvaluated(object, `the value of ${unknown} is known only at deployment`);
      if (policy === 'AlwaysAllow') return pass(object);
      return fail({
        object,
        path: ['spec', 'unhealthyPodEvictionPolicy'],
        message: 'keeps pods that are not ready from being evicted as soon as it allows no disruption: one that crashes over and over holds its node',
        remedy: 'write unhealthyPodEvictionPolicy: AlwaysAllow',
        evidence: { unhealthyPodEvictionPolicy: policy ?? null },
      });
    });
  }
}
