import { countText, Label, monthlyPrice, monthlyPriceText, shortListText, workloadNames } from '../../../../model';
import {
  hasPreferences,
  passesWithoutReasons,
  planOfPasses,
  PodAffinityTerm,
  SchedulePlan,
} from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { priceIn } from '../../common/figures';
import { Placement, placementsOf } from '../../common/placements';
import { selectsOwnPods } from '../../common/pod-constraints';
import { Pool, poolsOf } from '../../common/pool';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { simulatedConsolidation, simulatedConsolidationWithoutPreferences } from '../simulations';

/** Less than this is not worth a change of constraints: per month in USD, and as a share of what the nodes cost. */
const LEAST_USD_PER_MONTH = 50;
const LEAST_SHARE = 0.05;

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export const softPreferenceBlocksConsolidation: Rule = {
  id: 'KARP-416',
  name: 'soft-preference-blocks-consolidation',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Preferences of pods keep nodes that are not needed: Karpenter treats preferences as requirements as long as it can.',
  check(context: RuleContext): Outcome[] {
    if (context.options.preferencePolicy === 'Ignore') return [];
    const withPreferences = context.model.workloads.filter(
      ({ shape, kind }) => kind !== 'DaemonSet' && shape !== undefined && hasPreferences(shape),
    );
    const running = poolsWith(context, withPreferences, (placement) => placement.running > 0);
    // The simulation does not say which preferences keep a node.
    if (running.some(isSpreadOverZonesByWish)) return running.map(({ pool }) => pass(pool.object));
    if (running.length > 0) return checkCluster(context, running);
    return checkPlan(
      context,
      poolsWith(context, withPreferences, ({ claim }) => claim !== undefined),
    );
  },
};

/** Compares what simulated consolidation leaves of the running nodes with and without preferences. */
function checkCluster(context: RuleContext, pools: readonly PoolWorkloads[]): Outcome[] {
  const [kept, needed] = [simulatedConsolidation(context), simulatedConsolidationWithoutPreferences(context)];
  if (!kept || !needed)
    return pools.map(({ pool }) => notEvaluated(pool.object, 'consolidation of its running nodes cannot be simulated'));
  const schedulesAll = needed.pending.length <= kept.pending.length;
  if (!schedulesAll || !savesNodes(kept.after, needed.after)) return pools.map(({ pool }) => pass(pool.object));
  // The scenario report does not say which NodePool the saved nodes belong to.
  const workloads = context.model.workloads.filter((workload) =>
    pools.some((pool) => pool.workloads.includes(workload)),
  );
  return [
    finding(context, pools[0].pool, workloads, kept.after, needed.after),
    ...pools.slice(1).map(({ pool }) => pass(pool.object)),
  ];
}

function checkPlan(context: RuleContext, pools: readonly PoolWorkloads[]): Outcome[] {
  if (pools.length === 0) return [];
  // The plans of the passes are compared: random names add nodes to a settled fleet, with and without preferences.
  const { passesPlan } = context;
  const relaxed = planOfPasses(
    passesWithoutReasons(
      { ...context.input, settings: { ...context.input.settings, preferencePolicy: 'Ignore' } },
      context.catalog,
    ),
  );
  const schedulesAll = relaxed.unschedulable.length <= passesPlan.unschedulable.length;
  return pools.map(({ pool, workloads }) => {
    const [kept, needed] = [passesPlan, relaxed].map((plan) => nodesOf(plan, pool.name));
    return schedulesAll && !isSpreadOverZonesByWish({ workloads }) && savesNodes(kept, needed)
      ? finding(context, pool, workloads, kept, needed)
      : pass(pool.object);
  });
}

function finding(
  { catalog, options: { servingVersion } }: RuleContext,
  { object }: Pool,
  workloads: readonly WorkloadManifest[],
  kept: Nodes,
  needed: Nodes,
): Outcome {
  const names = workloadNames(workloads);
  const saved = kept.usdPerHour - needed.usdPerHour;
  return fail({
    object,
    path: ['spec'],
    message:
      `preferences of ${shortListText(names)} keep ${countText(kept.nodes, 'node')} where ${needed.nodes} would be enough, for ${monthlyPriceText(...priceIn(catalog, saved))}: ` +
      'Karpenter removes no node whose pods would lose a preference',
    remedy:
      // Releases before 1.0 have no such setting.
      servingVersion === undefined
        ? 'run Karpenter with preferencePolicy: Ignore, or make the necessary preferences requirements and drop the others'
        : 'make the necessary preferences requirements, and drop the others',
    evidence: {
      nodes: kept.nodes,
      nodesWithoutPreferences: needed.nodes,
      usdPerMonth: Number(monthlyPrice(saved).toFixed(2)),
      workloads: names,
    },
  });
}

interface PoolWorkloads {
  readonly pool: Pool;
  readonly workloads: readonly WorkloadManifest[];
}

/** Whether pods are in several zones only because they prefer it: nobody wants to give that up for some nodes. */
function isSpreadOverZonesByWish({ workloads }: Pick<PoolWorkloads, 'workloads'>): boolean {
  return workloads.some((workload) => {
    const { topologySpread = [], podAntiAffinity } = workload.shape!;
    const isOverZones = (constraint: PodAffinityTerm) =>
      constraint.topologyKey === Label.ZONE && selectsOwnPods(constraint, workload);
    const isStrict = [
      ...topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule'),
      ...(podAntiAffinity?.required ?? []),
    ].some(isOverZones);
    const preferred = podAntiAffinity?.preferred.map(({ term }) => term) ?? [];
    return !isStrict && [...topologySpread, ...preferred].some(isOverZones);
  });
}

/** NodePools with a matching placement of some of the workloads, and these workloads. */
function poolsWith(
  context: RuleContext,
  workloads: readonly WorkloadManifest[],
  matches: (placement: Placement) => boolean,
): PoolWorkloads[] {
  const placed = workloads.map((workload) => {
    const placements = placementsOf(context, workload).filter(matches);
    return { workload, pools: new Set(placements.map(({ nodePool }) => nodePool)) };
  });
  return poolsOf(context)
    .map((pool) => ({
      pool,
      workloads: placed.filter(({ pools }) => pools.has(pool.name)).map(({ workload }) => workload),
    }))
    .filter((pool) => pool.workloads.length > 0);
}

interface Nodes {
  readonly nodes: number;
  readonly usdPerHour: number;
}

function savesNodes(kept: Nodes, needed: Nodes): boolean {
  const saved = kept.usdPerHour - needed.usdPerHour;
  return (
    needed.nodes < kept.nodes && monthlyPrice(saved) >= LEAST_USD_PER_MONTH && saved >= LEAST_SHARE * kept.usdPerHour
  );
}

function nodesOf({ nodeClaims }: SchedulePlan, pool: string): Nodes {
  const claims = nodeClaims.filter(({ nodePool }) => nodePool === pool);
  return {
    nodes: claims.length,
    usdPerHour: claims.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0),
  };
}
