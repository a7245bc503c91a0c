import { WorkloadManifest } from '../../../manifest/model';
import { isEssentialAndCritical } from '../../common/essential-workloads';
import { placementsOf } from '../../common/placements';
import { pdbsSelecting, unusablePdb } from '../../common/pod-disruption-budgets';
import { disruptionsByName, PoolDisruption } from '../../common/pool-disruption';
import { minimumReplicas } from '../../common/replicas';
import { servingWorkloads, optOutReason } from '../../common/serving-workloads';
import { count } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { permanentEvictionBlocker } from '../eviction/eviction-blockers';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class NoPdb implements Rule {
  public readonly id = 'KARP-402';
  public readonly name = 'no-pdb';
  public readonly severity = 'warning';
  public readonly isWorkloadAdvice = true;
  public readonly summary = 'A workload with several pods has no PodDisruptionBudget: Karpenter may evict all of its pods at the same time.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    const workloads = servingWorkloads(context.model).filter((workload) => !isEssentialAndCritical(context, workload));
    return workloads.flatMap((workload) => this.checkWorkload(context, workload, pools));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: ReadonlyMap<string, PoolDisruption>): Outcome[] {
    const { model } = context;
    const { object, namespace } = workload;
    const { pods, unknown } = minimumReplicas(model, workload);
    if (unknown === undefined && pods < 2) return [];
    if (pdbsSelecting(model, workload).length > 0 || optOutReason(workload, 'pod-disruption-budget') !== undefined) return [pass(object)];
    if (permanentEvictionBlocker(context, workload, pools) !== undefined) return [pass(object)];
    const unusable = unusablePdb(model, namespace);
    if (unusable !== undefined) return [notEvaluated(object, `PodDisruptionBudget ${unusable.name} may select its pods, but is invalid as written`)];
    if (unknown !== undefined) return [notEvaluated(object, unknown)];
    return [this.finding(context, workload, pods)];
  }

  private finding(context: RuleContext, workload: WorkloadManifest, pods: number): Outcome {
    const placements = placementsOf(context, workload);
    const nodes = placements.length;
    const where = placements.every((placement) => placement.pods === placement.running) ? 'they run on' : 'the plan puts them on';
    const planned = nodes === 0 ? '' : `; ${where} ${count(nodes, 'node')}`;
    return fail({
      object: workload.object,
      path: ['spec'],
      message: `no PodDisruptionBudget selects its ${pods} pods: one disruption by Karpenter may evict all of them${planned}`,
      remedy: `add a PodDisruptionBudget with maxUnavailable: 1 and the selector of the ${workload.kind}`,
      evidence: { replicas: pods, nodes },
    });
  }
}
