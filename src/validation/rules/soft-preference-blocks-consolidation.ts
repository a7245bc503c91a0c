import { planOfRounds, PodShape, provisioningRounds, SchedulePlan } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { fail, pass } from './private/outcome';
import { placementsOf } from './private/placements';
import { Pool, poolsOf } from './private/pool';
import { count, someNames, workloadNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const HOURS_OF_A_MONTH = 730;

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export class SoftPreferenceBlocksConsolidation implements Rule {
  public readonly id = 'KARP-416';
  public readonly name = 'soft-preference-blocks-consolidation';
  public readonly severity = 'warning';
  public readonly summary = 'Karpenter keeps nodes only because pods prefer to be apart: it takes preferences for requirements as long as it can.';

  public check(context: RuleContext): Outcome[] {
    if (context.options.preferencePolicy === 'Ignore') return [];
    const choosy = context.model.workloads.filter(({ shape, kind }) => kind !== 'DaemonSet' && shape !== undefined && prefers(shape));
    const placed = choosy.map((workload) => ({ workload, pools: new Set(placementsOf(context, workload).map(({ nodePool }) => nodePool)) }));
    const pools = poolsOf(context)
      .map((pool) => ({ pool, own: placed.filter((each) => each.pools.has(pool.name)).map(({ workload }) => workload) }))
      .filter(({ own }) => own.length > 0);
    if (pools.length === 0) return [];
    // In as many passes as the plan: in the first one pods that others have to come before would be without a node.
    const relaxed = planOfRounds(provisioningRounds({ ...context.input, settings: { ...context.input.settings, preferencePolicy: 'Ignore' } }, context.catalog));
    const placesAll = relaxed.unschedulable.length <= context.plan.unschedulable.length;
    return pools.map(({ pool, own }) => {
      const [kept, needed] = [context.plan, relaxed].map((plan) => nodesOf(plan, pool.name));
      const saves = placesAll && needed.nodes < kept.nodes && needed.usdPerHour < kept.usdPerHour;
      return saves ? this.finding(pool, own, kept, needed) : pass(pool.object);
    });
  }

  private finding({ object }: Pool, workloads: readonly WorkloadManifest[], kept: Nodes, needed: Nodes): Outcome {
    const names = workloadNames(workloads);
    const month = (kept.usdPerHour - needed.usdPerHour) * HOURS_OF_A_MONTH;
    return fail({
      object,
      path: ['spec'],
      message: `preferences of ${someNames(names)} hold ${count(kept.nodes, 'node')} where ${needed.nodes} would do, for ${month.toFixed(2)} USD a month: `
        + 'Karpenter removes no node whose pods would have to give up a preference',
      remedy: 'run Karpenter with preferencePolicy: Ignore, or require what must be and leave out what need not',
      evidence: { nodes: kept.nodes, nodesWithoutPreferences: needed.nodes, usdPerMonth: Number(month.toFixed(2)), workloads: names },
    });
  }
}

interface Nodes {
  readonly nodes: number;
  readonly usdPerHour: number;
}

function nodesOf({ nodeClaims }: SchedulePlan, pool: string): Nodes {
  const own = nodeClaims.filter(({ nodePool }) => nodePool === pool);
  return { nodes: own.length, usdPerHour: own.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0) };
}

function prefers({ preferredNodeAffinity, podAffinity, podAntiAffinity, topologySpread = [] }: PodShape): boolean {
  return preferredNodeAffinity.length > 0 || [podAffinity, podAntiAffinity].some((affinity) => (affinity?.preferred.length ?? 0) > 0)
    || topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
}
