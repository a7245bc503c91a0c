import { Label } from '../../model';
import { PodShape } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { allocatableOf } from './private/node-fit';
import { fail, pass } from './private/outcome';
import { Placement, placementsOf } from './private/placements';
import { Pool, poolsOf } from './private/pool';
import { servingWorkloads } from './private/serving';
import { Outcome, Rule, RuleContext } from './rule';

/** Fewer pods are worth a node each. */
const MANY_PODS = 6;
const LITTLE_USE = 0.3;
const HOURS_OF_A_MONTH = 730;

/** @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread */
export class AntiAffinityNodePerPod implements Rule {
  public readonly id = 'KARP-426';
  public readonly name = 'anti-affinity-node-per-pod';
  public readonly severity = 'warning';
  public readonly summary = 'Anti-affinity or spread gives each of many pods a node of its own, and the nodes are hardly used.';

  public check(context: RuleContext): Outcome[] {
    const pools = new Map(poolsOf(context).map((pool) => [pool.name, pool]));
    return servingWorkloads(context.model).flatMap((workload) => {
      const { shape } = workload;
      const placements = placementsOf(context, workload);
      if (shape === undefined || placements.length < MANY_PODS || !isOnePerNode(shape)) return [];
      const uses = placements.flatMap((placement) => useOf(placement, pools) ?? []);
      const mean = uses.reduce((sum, use) => sum + use, 0) / uses.length;
      return [uses.length < placements.length || mean >= LITTLE_USE ? pass(workload.object) : this.finding(workload, placements, mean)];
    });
  }

  private finding(workload: WorkloadManifest, placements: readonly Placement[], mean: number): Outcome {
    const percent = Math.round(100 * mean);
    const month = placements.reduce((sum, { claim }) => sum + (claim?.cheapest?.usdPerHour ?? 0), 0) * HOURS_OF_A_MONTH;
    return fail({
      object: workload.object,
      path: workload.podPath,
      message: `each of its pods has a node to itself: ${placements.length} nodes, of which ${percent}% are used on average, for ${month.toFixed(2)} USD a month`,
      remedy: `spread them over ${Label.ZONE}, and over ${Label.HOSTNAME} with a maxSkew of a third of the pods`,
      evidence: { nodes: placements.length, usePercent: percent, usdPerMonth: Number(month.toFixed(2)) },
    });
  }
}

/** For Karpenter a new node is always an empty domain, so that the skew is the most that any node holds. */
function isOnePerNode({ topologySpread = [], podAntiAffinity }: PodShape): boolean {
  const alone = podAntiAffinity?.required.some(({ topologyKey }) => topologyKey === Label.HOSTNAME) ?? false;
  return alone || topologySpread.some(({ topologyKey, whenUnsatisfiable, maxSkew }) =>
    topologyKey === Label.HOSTNAME && whenUnsatisfiable === 'DoNotSchedule' && maxSkew === 1);
}

/** The larger of the shares of processor and memory that are requested of the cheapest node. */
function useOf({ claim }: Placement, pools: ReadonlyMap<string, Pool>): number | undefined {
  const table = claim && pools.get(claim.nodePool)?.launch?.table;
  const index = table?.names.indexOf(claim?.cheapest?.instanceType ?? '') ?? -1;
  if (!claim || !table || index < 0) return undefined;
  const allocatable = allocatableOf(table, index);
  return Math.max(...['cpu', 'memory'].map((resource) => Number(claim.requests.get(resource) ?? 0n) / Number(allocatable.get(resource) ?? 1n)));
}
