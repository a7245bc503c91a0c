import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/ */
export class SingleReplica implements Rule {
  public readonly id = 'KARP-401';
  public readonly name = 'single-replica';
  public readonly severity = 'warning';
  public readonly summary = 'A workload runs a single pod: Karpenter launches a node in advance, but no pod, so that each move of it is an outage.';

  public check(context: RuleContext): Outcome[] {
    return servingWorkloads(context.model).map((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload({ model }: RuleContext, workload: WorkloadManifest): Outcome {
    const { object } = workload;
    const { pods, source, unknown } = fullHealthReplicas(model, workload);
    if (unknown !== undefined) return notEvaluated(object, unknown);
    if (pods !== 1 || waiverOf(workload, 'replicas') !== undefined) return pass(object);
    const from = source === undefined ? '' : ` (${source})`;
    return fail({
      object,
      path: ['spec', 'replicas'],
      message: `runs 1 pod${from}: Karpenter launches the next node in advance, but evicts the pod before another one is ready, `
        + 'so that each consolidation, drift and expiry is an outage as long as the pod takes to start',
      remedy: 'run at least 2 replicas with a PodDisruptionBudget of maxUnavailable: 1, or say that one is enough in the annotation '
        + 'resilience.karpenter-constructs.dev/replicas: "off: <reason>"',
      evidence: { replicas: pods, source: source ?? null },
    });
  }
}
