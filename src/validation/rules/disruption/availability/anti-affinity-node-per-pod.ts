import { Label, monthlyPrice, monthlyPriceText } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { allocatableOf } from '../../../instance-types/node-fit';
import { WorkloadManifest } from '../../../manifest/model';
import { priceIn } from '../../common/figures';
import { Placement, placementsOf } from '../../common/placements';
import { poolsOf } from '../../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';

/** With fewer pods, a node for each pod is acceptable. */
const MANY_PODS = 6;
const LOW_UTILIZATION = 0.3;

/** @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread */
export const antiAffinityNodePerPod = defineRule({
  id: 'KARP-426',
  name: 'anti-affinity-node-per-pod',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary: 'Anti-affinity or a topology spread gives each of many pods a node of its own, which it hardly uses.',
  subjects: longRunningWorkloads(),
  judge(workload, context) {
    const { shape } = workload;
    const placements = placementsOf(context, workload);
    if (shape === undefined || placements.length < MANY_PODS || !isOnePerNode(shape)) return NOT_APPLICABLE;
    const utilizations = placements.flatMap((placement) => utilizationOf(placement, context) ?? []);
    const mean = utilizations.reduce((sum, utilization) => sum + utilization, 0) / utilizations.length;
    const isAcceptable = utilizations.length < placements.length || mean >= LOW_UTILIZATION;
    return isAcceptable ? undefined : finding(context, workload, placements, mean);
  },
});

function finding(
  { catalog }: RuleContext,
  workload: WorkloadManifest,
  placements: readonly Placement[],
  mean: number,
): SubjectFinding {
  const percent = Math.round(100 * mean);
  const hourly = placements.reduce((sum, { claim }) => sum + (claim?.cheapest?.usdPerHour ?? 0), 0);
  return {
    path: workload.podPath,
    message: `each of its pods needs a node of its own: ${placements.length} nodes for ${monthlyPriceText(...priceIn(catalog, hourly))}, used to ${percent}% on average`,
    remedy: `spread the pods over ${Label.ZONE}, and over ${Label.HOSTNAME} with a maxSkew of a third of the pods`,
    evidence: { nodes: placements.length, usePercent: percent, usdPerMonth: Number(monthlyPrice(hourly).toFixed(2)) },
  };
}

/**
 * A hostname spread with maxSkew 1 counts too: a new node is always an empty domain, so no node may hold two pods.
 */
function isOnePerNode({ topologySpread = [], podAntiAffinity }: PodShape): boolean {
  const byAntiAffinity = podAntiAffinity?.required.some(({ topologyKey }) => topologyKey === Label.HOSTNAME) ?? false;
  return (
    byAntiAffinity ||
    topologySpread.some(
      ({ topologyKey, whenUnsatisfiable, maxSkew }) =>
        topologyKey === Label.HOSTNAME && whenUnsatisfiable === 'DoNotSchedule' && maxSkew === 1,
    )
  );
}

/** Requested share of the cheapest node's CPU or memory, whichever is larger. */
function utilizationOf({ claim }: Placement, context: RuleContext): number | undefined {
  const table = claim && poolsOf(context).find(({ name }) => name === claim.nodePool)?.launch?.table;
  const index = table?.names.indexOf(claim?.cheapest?.instanceType ?? '') ?? -1;
  if (!claim || !table || index < 0) return undefined;
  const allocatable = allocatableOf(table, index);
  return Math.max(
    ...['cpu', 'memory'].map(
      (resource) => Number(claim.requests.get(resource) ?? 0n) / Number(allocatable.get(resource) ?? 1n),
    ),
  );
}
