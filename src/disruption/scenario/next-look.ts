import { Label } from '../../model';
import { nextEnd } from '../budgets';
import { Cluster, ClusterNode, Instant } from '../cluster';
import { DisruptionMethod } from '../command';
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
  const times = nodes.flatMap((node) => [
    ...methods.some((method) => CONSOLIDATION.includes(method)) ? [...ofConsolidation(node, pools), ...ofPlace(node)] : [],
    ...methods.includes('Drift') && node.claim?.drifted ? ofPlace(node) : [],
    ...methods.includes('Repair') && node.faults ? [...ofPlace(node), ...node.faults.map((fault) => repairableSince({ faults: [fault] }))] : [],
  ]);
  const hours = [...pools.values()].flatMap(({ budgets }) => budgets.filter(({ schedule }) => schedule !== undefined));
  const isHeld = hours.length > 0 && refusals.some(({ why }) => why.startsWith('the disruption budgets'));
  return [...times, ...isHeld ? hours.map((budget) => nextEnd(budget, begun)) : []]
    .reduce((next, instant) => instant > begun ? Math.min(next, instant) : next, Infinity);
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
