import { WorkloadManifest } from '../manifest/model';
import { budgetsOf, unusableBudget } from './private/budgets-of-pods';
import { whyHeldForEver } from './private/held-pods';
import { isNeededAndCritical } from './private/needed-workloads';
import { fail, notEvaluated, pass } from './private/outcome';
import { placementsOf } from './private/placements';
import { disruptionsByName, PoolDisruption } from './private/pool-disruption';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class NoPdb implements Rule {
  public readonly id = 'KARP-402';
  public readonly name = 'no-pdb';
  public readonly severity = 'warning';
  public readonly summary = 'No PodDisruptionBudget selects the pods of a workload with several: Karpenter may evict all of them at a time.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    const workloads = servingWorkloads(context.model).filter((workload) => !isNeededAndCritical(context, workload));
    return workloads.flatMap((workload) => this.checkWorkload(context, workload, pools));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: ReadonlyMap<string, PoolDisruption>): Outcome[] {
    const { model } = context;
    const { object, namespace } = workload;
    const { pods, unknown } = fullHealthReplicas(model, workload);
    if (unknown === undefined && pods < 2) return [];
    if (budgetsOf(model, workload).length > 0 || waiverOf(workload, 'pod-disruption-budget') !== undefined) return [pass(object)];
    if (whyHeldForEver(context, workload, pools) !== undefined) return [pass(object)];
    const unusable = unusableBudget(model, namespace);
    if (unusable !== undefined) return [notEvaluated(object, `PodDisruptionBudget ${unusable.name} may select its pods, but cannot be used as it is written`)];
    if (unknown !== undefined) return [notEvaluated(object, unknown)];
    return [this.finding(context, workload, pods)];
  }

  private finding(context: RuleContext, workload: WorkloadManifest, pods: number): Outcome {
    const placements = placementsOf(context, workload);
    const nodes = placements.length;
    const where = placements.every((placement) => placement.pods === placement.running) ? 'they run on' : 'the plan has them on';
    const planned = nodes === 0 ? '' : `; ${where} ${count(nodes, 'node')}`;
    return fail({
      object: workload.object,
      path: ['spec'],
      message: `no PodDisruptionBudget selects its ${pods} pods, so that one command of Karpenter may drain the nodes of all of them${planned}`,
      remedy: `add a PodDisruptionBudget with maxUnavailable: 1 and the selector of the ${workload.kind}`,
      evidence: { replicas: pods, nodes },
    });
  }
}
