import { Label } from '../../model';
import { countedNodes, nextEnd, opening } from '../budgets';
import { Cluster, ClusterNode, DisruptionReason, Instant } from '../cluster';
import { DisruptionMethod, REASON_OF } from '../command';
import { DisruptionPass } from '../disruption-pass';
import { hasProtection, protectedUntil } from '../pod-eviction';
import { repairableSince } from '../repair';
import { World } from './world';

export const CONSOLIDATION: readonly DisruptionMethod[] = ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'];

/**
 * When there may be something to do that there was not, though nothing happens to the cluster: consolidateAfter is over for a node, or what
 * protects a pod of it, or the hours of a budget. Infinite where that is never.
 *
 * @param methods which are looked at: only what concerns these
 * @param pass that has found nothing to do
 * @param begun when it did
 */
export function nextLook(world: World, methods: readonly DisruptionMethod[], { refusals }: DisruptionPass, begun: Instant): Instant {
  const { nodes, pools } = world.snapshot();
  const consolidates = methods.some((method) => CONSOLIDATION.includes(method));
  const drifts = methods.includes('Drift');
  const repairs = methods.includes('Repair');
  const times: Instant[] = [];
  // Of hundreds of nodes, after each of hundreds of passes.
  for (const node of nodes) {
    if (consolidates) times.push(...ofConsolidation(node, pools), ...ofPlace(node));
    if (drifts && node.claim?.drifted) times.push(...ofPlace(node));
    if (repairs && node.faults) times.push(...ofPlace(node), ...node.faults.map((fault) => repairableSince({ faults: [fault] })));
  }
  return [...times, ...ofHours(world.snapshot(), refusals, begun)]
    .reduce((next, instant) => instant > begun ? Math.min(next, instant) : next, Infinity);
}

/** When hours are over of budgets that keep nodes, unless others of the NodePool keep them for ever. */
function ofHours(cluster: Cluster, refusals: DisruptionPass['refusals'], begun: Instant): Instant[] {
  const held = new Map<string, readonly [string, DisruptionReason]>();
  for (const { heldIn, method } of refusals) if (heldIn !== undefined) held.set(`${heldIn} ${REASON_OF[method]}`, [heldIn, REASON_OF[method]]);
  return [...held.values()].flatMap(([pool, reason]) => {
    const { budgets = [] } = cluster.pools.get(pool) ?? {};
    const hours = budgets.filter(({ schedule, reasons }) => schedule !== undefined && (reasons?.includes(reason) ?? true));
    if (hours.length === 0 || opening(budgets, countedNodes(cluster, pool, reason), reason, begun) === Infinity) return [];
    return hours.map((budget) => nextEnd(budget, begun));
  });
}

function ofConsolidation({ claim, labels }: ClusterNode, pools: Cluster['pools']): Instant[] {
  const after = pools.get(labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
  const since = claim?.lastPodEventAt ?? claim?.initializedAt;
  return after === undefined || since === undefined ? [] : [since + after];
}

/** Until when the node is kept for a pod that waits, and for those that it has. */
function ofPlace({ nominatedUntil = 0, pods }: ClusterNode): Instant[] {
  return [nominatedUntil, ...hasProtection(pods) ? pods.flatMap((pod) => protectedUntil(pod) ?? []) : []];
}
