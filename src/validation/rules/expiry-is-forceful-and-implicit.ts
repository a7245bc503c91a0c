import { WorkloadManifest } from '../manifest/model';
import { budgetsOf } from './private/budgets-of-pods';
import { isEndless, whyHeld } from './private/held-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { someNames, workloadNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#expiration */
export class ExpiryIsForcefulAndImplicit implements Rule {
  public readonly id = 'KARP-404';
  public readonly name = 'expiry-is-forceful-and-implicit';
  public readonly severity = 'warning';
  public readonly summary = 'Nodes expire, which no disruption budget holds up, and a workload on them has a single pod or no PodDisruptionBudget.';

  public check(context: RuleContext): Outcome[] {
    const exposed = servingWorkloads(context.model).filter((workload) => this.isExposed(context, workload));
    const placed = exposed.map((workload) =>
      ({ workload, pools: poolNamesOf(context, workload), held: whyHeld(context, workload) !== undefined }));
    return poolDisruptions(context).map((pool) => {
      if (pool.why !== undefined) return notEvaluated(pool.object, pool.why);
      const { disruption } = pool;
      // A drain that waits for pods for ever does not hit them.
      const hit = placed.filter(({ pools, held }) => pools.includes(disruption.name) && !(held && isEndless(disruption)))
        .map(({ workload }) => workload);
      return disruption.expireAfter === undefined || hit.length === 0 ? pass(disruption.object) : this.finding(disruption, hit);
    });
  }

  /** What is waived is known to be gone for a while. */
  private isExposed({ model }: RuleContext, workload: WorkloadManifest): boolean {
    const { pods, unknown } = fullHealthReplicas(model, workload);
    if (unknown !== undefined || pods === 0) return false;
    if (pods === 1) return waiverOf(workload, 'replicas') === undefined;
    return budgetsOf(model, workload).length === 0 && waiverOf(workload, 'pod-disruption-budget') === undefined;
  }

  private finding({ object, expireAfterText, expireAfterWritten }: PoolDisruption, hit: readonly WorkloadManifest[]): Outcome {
    const names = workloadNames(hit);
    const setting = expireAfterWritten ? `expireAfter is ${expireAfterText}` : `expireAfter is not set, which means ${expireAfterText}`;
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'expireAfter'],
      message: `${setting}: nodes that were launched together expire together, whatever the disruption budgets say, and no replacement is launched in advance; `
        + `it hits ${someNames(names)}, of a single pod or without a PodDisruptionBudget`,
      remedy: 'give these workloads 2 replicas and a PodDisruptionBudget of maxUnavailable: 1, or write expireAfter: Never and let nodes drift, which budgets govern',
      evidence: { expireAfter: expireAfterText, written: expireAfterWritten, workloads: names },
    });
  }
}
