import { alwaysAllowed } from './private/allowed-nodes';
import { blockedMinutes, YEAR_MINUTES } from './private/budget-windows';
import { budgetsOf } from './private/budgets-of-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { PoolDisruption, poolDisruptions, reasonsOf } from './private/pool-disruption';
import { servingWorkloads, waiverOf } from './private/serving';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export class BudgetAllowsEverything implements Rule {
  public readonly id = 'KARP-419';
  public readonly name = 'budget-allows-everything';
  public readonly severity = 'warning';
  public readonly summary = 'The disruption budgets let all nodes of the plan go at a time, and not every workload on them has a PodDisruptionBudget.';

  public check(context: RuleContext): Outcome[] {
    const workloads = workloadsByPool(context);
    const serving = new Set(servingWorkloads(context.model));
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      const nodes = context.plan.nodeClaims.filter(({ nodePool }) => nodePool === disruption.name).length;
      // A share of one node is always that node.
      if (nodes < 2) return [];
      const own = (workloads.get(disruption.name) ?? []).filter((workload) => serving.has(workload));
      const unguarded = own.filter((workload) => budgetsOf(context.model, workload).length === 0 && waiverOf(workload, 'pod-disruption-budget') === undefined);
      const allowed = Math.max(0, ...reasonsWithPods(disruption).map((reason) => alwaysAllowed(disruption.budgets, reason, nodes)));
      if (unguarded.length === 0 || allowed < nodes) return [pass(disruption.object)];
      return [this.finding(disruption, nodes, unguarded.map(({ kind, name }) => `${kind} ${name}`).sort())];
    });
  }

  private finding({ object }: PoolDisruption, nodes: number, names: readonly string[]): Outcome {
    return fail({
      object,
      path: ['spec', 'disruption', 'budgets'],
      message: `the budgets let all ${nodes} nodes of the plan go at a time, and ${someNames(names)} ${names.length === 1 ? 'has' : 'have'} no PodDisruptionBudget that would hold any of them up`,
      remedy: 'write a budget below that, such as nodes: "10%", and a PodDisruptionBudget of maxUnavailable: 1 for each workload',
      evidence: { nodes, workloads: names },
    });
  }
}

/** For which Karpenter takes nodes that hold pods, at some time: an empty node has none that a budget would have to keep. */
function reasonsWithPods(disruption: PoolDisruption): string[] {
  return reasonsOf(disruption).filter((reason) => reason !== 'Empty' && blockedMinutes(disruption, reason) < YEAR_MINUTES);
}
