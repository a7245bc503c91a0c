import { planOfRounds, PodShape, provisioningRounds, SchedulePlan } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { Placement, placementsOf } from './private/placements';
import { Pool, poolsOf } from './private/pool';
import { consolidationOf, consolidationWithoutPreferences } from './private/simulated';
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
    const running = poolsWith(context, choosy, (placement) => placement.running > 0);
    if (running.length > 0) return this.inCluster(context, running);
    return this.planned(context, poolsWith(context, choosy, ({ claim }) => claim !== undefined));
  }

  /** Nodes that are there go where consolidation takes them: what is left with preferences is compared with what is left without. */
  private inCluster(context: RuleContext, pools: readonly PoolWorkloads[]): Outcome[] {
    const [kept, needed] = [consolidationOf(context), consolidationWithoutPreferences(context)];
    if (!kept || !needed) return pools.map(({ pool }) => notEvaluated(pool.object, 'what consolidation makes of nodes that run already cannot be simulated'));
    const placesAll = needed.pending.length <= kept.pending.length;
    if (!placesAll || !savesNodes(kept.after, needed.after)) return pools.map(({ pool }) => pass(pool.object));
    // Which NodePool the nodes are of that would go a scenario does not tell.
    const own = context.model.workloads.filter((workload) => pools.some(({ workloads }) => workloads.includes(workload)));
    return [this.finding(pools[0].pool, own, kept.after, needed.after), ...pools.slice(1).map(({ pool }) => pass(pool.object))];
  }

  private planned(context: RuleContext, pools: readonly PoolWorkloads[]): Outcome[] {
    if (pools.length === 0) return [];
    // In as many passes as the plan: in the first one pods that others have to come before would be without a node.
    const relaxed = planOfRounds(provisioningRounds({ ...context.input, settings: { ...context.input.settings, preferencePolicy: 'Ignore' } }, context.catalog));
    const placesAll = relaxed.unschedulable.length <= context.plan.unschedulable.length;
    return pools.map(({ pool, workloads }) => {
      const [kept, needed] = [context.plan, relaxed].map((plan) => nodesOf(plan, pool.name));
      return placesAll && savesNodes(kept, needed) ? this.finding(pool, workloads, kept, needed) : pass(pool.object);
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

interface PoolWorkloads {
  readonly pool: Pool;
  readonly workloads: readonly WorkloadManifest[];
}

/** NodePools that have pods of the workloads on some of their nodes. */
function poolsWith(context: RuleContext, workloads: readonly WorkloadManifest[], which: (placement: Placement) => boolean): PoolWorkloads[] {
  const placed = workloads.map((workload) => {
    const placements = placementsOf(context, workload).filter(which);
    return { workload, pools: new Set(placements.map(({ nodePool }) => nodePool)) };
  });
  return poolsOf(context)
    .map((pool) => ({ pool, workloads: placed.filter((each) => each.pools.has(pool.name)).map(({ workload }) => workload) }))
    .filter(({ workloads: own }) => own.length > 0);
}

interface Nodes {
  readonly nodes: number;
  readonly usdPerHour: number;
}

function savesNodes(kept: Nodes, needed: Nodes): boolean {
  return needed.nodes < kept.nodes && needed.usdPerHour < kept.usdPerHour;
}

function nodesOf({ nodeClaims }: SchedulePlan, pool: string): Nodes {
  const own = nodeClaims.filter(({ nodePool }) => nodePool === pool);
  return { nodes: own.length, usdPerHour: own.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0) };
}

function prefers({ preferredNodeAffinity, podAffinity, podAntiAffinity, topologySpread = [] }: PodShape): boolean {
  return preferredNodeAffinity.length > 0 || [podAffinity, podAntiAffinity].some((affinity) => (affinity?.preferred.length ?? 0) > 0)
    || topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
}
