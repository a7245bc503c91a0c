import { WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf } from '../../common/placements';
import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { PoolDisruption, poolDisruptions } from '../../common/pool-disruption';
import { minimumReplicas } from '../../common/replicas';
import { servingWorkloads, optOutReason } from '../../common/serving-workloads';
import { durationText, someNames, workloadNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { hasNoDrainDeadline, evictionBlocker } from '../eviction/eviction-blockers';

/** @see https://karpenter.sh/docs/concepts/disruption/#expiration */
export class ExpiryIsForcefulAndImplicit implements Rule {
  public readonly id = 'KARP-404';
  public readonly name = 'expiry-is-forceful-and-implicit';
  public readonly severity = 'warning';
  public readonly summary = 'Nodes expire, which disruption budgets do not limit, and a workload on them has several pods but no PodDisruptionBudget.';

  public check(context: RuleContext): Outcome[] {
    const exposed = servingWorkloads(context.model).filter((workload) => this.isExposed(context, workload)).map((workload) =>
      ({ workload, pools: poolNamesOf(context, workload), blocked: evictionBlocker(context, workload) !== undefined }));
    return poolDisruptions(context).map((pool) => {
      if (pool.why !== undefined) return notEvaluated(pool.object, pool.why);
      const { disruption } = pool;
      // A drain without a time limit never evicts pods that cannot be evicted.
      const affected = exposed.filter(({ pools, blocked }) => pools.includes(disruption.name) && !(blocked && hasNoDrainDeadline(disruption)))
        .map(({ workload }) => workload);
      return disruption.expireAfter === undefined || affected.length === 0 ? pass(disruption.object) : this.finding(disruption, affected);
    });
  }

  /** KARP-401 reports a single pod. A workload that opted out accepts short outages. */
  private isExposed({ model }: RuleContext, workload: WorkloadManifest): boolean {
    const { pods, unknown } = minimumReplicas(model, workload);
    if (unknown !== undefined || pods < 2) return false;
    return pdbsSelecting(model, workload).length === 0 && optOutReason(workload, 'pod-disruption-budget') === undefined;
  }

  private finding({ object, expireAfter, expireAfterText, expireAfterWritten }: PoolDisruption, affected: readonly WorkloadManifest[]): Outcome {
    const names = workloadNames(affected);
    const byDefault = expireAfterWritten ? '' : ' by default';
    const workloads = names.length === 1 ? `${names[0]} has` : `${names.length} workloads here have`;
    const list = names.length === 1 ? '' : ` (${someNames(names)})`;
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'expireAfter'],
      message: `nodes expire after ${durationText(expireAfter! / 1000)}${byDefault}, without a replacement in advance, and disruption budgets do not limit that: `
        + `${workloads} no PodDisruptionBudget${list}`,
      remedy: 'give these workloads a PodDisruptionBudget with maxUnavailable: 1, or write expireAfter: Never and let nodes drift, which budgets limit',
      evidence: { expireAfter: expireAfterText, written: expireAfterWritten, workloads: names },
    });
  }
}
