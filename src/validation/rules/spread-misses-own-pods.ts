import { fail, pass } from './private/outcome';
import { selectsOwnPods } from './private/pod-constraints';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition */
export class SpreadMissesOwnPods implements Rule {
  public readonly id = 'KARP-428';
  public readonly name = 'spread-misses-own-pods';
  public readonly severity = 'warning';
  public readonly summary = 'A topology spread constraint does not select the pods that have it: these are not counted, and nothing spreads them.';

  public check({ model }: RuleContext): Outcome[] {
    return model.workloads.flatMap((workload) => {
      const { shape, object, podPath } = workload;
      if (!shape?.topologySpread?.length || workload.kind === 'DaemonSet') return [];
      const index = shape.topologySpread.findIndex((spread) => !selectsOwnPods(spread, workload));
      if (index < 0) return [pass(object)];
      const { topologyKey, labelSelector } = shape.topologySpread[index];
      return [fail({
        object,
        path: [...podPath, 'topologySpreadConstraints', index],
        message: `${labelSelector ? 'the labelSelector does not match the labels of its own pods' : 'there is no labelSelector, so that no pod is counted'}: `
          + `nothing spreads them over ${topologyKey}`,
        remedy: 'write the labels of the pod template as labelSelector',
        evidence: { topologyKey },
      })];
    });
  }
}
