import { DISRUPTED_TAINT } from '../../contract';
import { Toleration, tolerates } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { podSpecOf, targetsOtherNodes } from './private/pod-constraints';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#termination-controller */
export class ToleratesDisruptedTaint implements Rule {
  public readonly id = 'KARP-423';
  public readonly name = 'tolerates-disrupted-taint';
  public readonly severity = 'error';
  public readonly summary = 'A pod tolerates the taint of nodes that are about to go: Karpenter does not drain it, and it dies with the instance.';

  public check({ model }: RuleContext): Outcome[] {
    return model.workloads.filter((workload) => workload.kind !== 'DaemonSet' && !targetsOtherNodes(workload)).flatMap((workload) => {
      const tolerations: unknown = podSpecOf(workload)?.tolerations;
      if (!Array.isArray(tolerations)) return [];
      const unknown = findUnresolved(tolerations);
      if (unknown !== undefined) return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
      const index = tolerations.findIndex((toleration: Toleration | null) => toleration !== null && tolerates(toleration, DISRUPTED_TAINT));
      return [index < 0 ? pass(workload.object) : this.finding(workload, tolerations[index], index)];
    });
  }

  private finding(workload: WorkloadManifest, toleration: Toleration, index: number): Outcome {
    const what = toleration.key ? `the taint ${toleration.key}` : 'every taint';
    return fail({
      object: workload.object,
      path: [...workload.podPath, 'tolerations', index],
      message: `tolerates ${what}, and so ${DISRUPTED_TAINT.key} too: Karpenter does not drain its pods, which die with the instance, without a budget or time to end, `
        + 'and may be scheduled to a node that is about to go',
      remedy: 'name the taints that it is to tolerate, by their keys',
      evidence: { toleration },
    });
  }
}
