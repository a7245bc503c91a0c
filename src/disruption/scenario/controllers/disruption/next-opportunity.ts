import { Label } from '../../../../model';
import { BudgetWindows, windowEnd } from '../../../budgets/budget-windows';
import { budgetNodeCounts, nextAllowedDisruption } from '../../../budgets/disruption-budgets';
import { Cluster, ClusterNode, DisruptionReason, Instant } from '../../../cluster';
import { DisruptionPass } from '../../../controller';
import { repairableSince } from '../../../methods/repair';
import { hasProtection, protectedUntil } from '../../../pods';
import { DisruptionMethod, REASON_BY_METHOD } from '../../../types';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

export const CONSOLIDATION_METHODS: readonly DisruptionMethod[] = [
  'Emptiness',
  'MultiNodeConsolidation',
  'SingleNodeConsolidation',
];

/**
 * When a pass may find something to do although the cluster does not change: because consolidateAfter of a node, the
 * protection of a pod, or the schedule of a budget ends. Infinite if never. Hot path: runs over all nodes after each
 * pass.
 *
 * @param methods the methods of the scenario
 * @param pass the last pass, which found nothing to do
 * @param startedAt when that pass started
 */
export function nextOpportunity(
  cluster: SimulatedCluster,
  methods: readonly DisruptionMethod[],
  { refusals }: DisruptionPass,
  startedAt: Instant,
): Instant {
  const snapshot = cluster.snapshot();
  const { nodes, pools } = snapshot;
  const consolidates = methods.some((method) => CONSOLIDATION_METHODS.includes(method));
  const drifts = methods.includes('Drift');
  const repairs = methods.includes('Repair');
  const times: Instant[] = [];
  for (const node of nodes) {
    if (consolidates) times.push(...consolidationTimes(node, pools), ...unblockingTimes(node));
    if (drifts && node.claim?.drifted) times.push(...unblockingTimes(node));
    if (repairs && node.faults)
      times.push(...unblockingTimes(node), ...node.faults.map((fault) => repairableSince({ faults: [fault] })));
  }
  return [...times, ...budgetWindowEnds(snapshot, refusals, startedAt, cluster.session.budgetWindows)].reduce(
    (next, instant) => (instant > startedAt ? Math.min(next, instant) : next),
    Infinity,
  );
}

/** Ends of the schedules that block nodes, unless other budgets of the NodePool block them forever. */
function budgetWindowEnds(
  cluster: Cluster,
  refusals: DisruptionPass['refusals'],
  startedAt: Instant,
  windows: BudgetWindows,
): Instant[] {
  const limited = new Map<string, readonly [string, DisruptionReason]>();
  for (const { limitedByBudgetsOf: pool, method } of refusals) {
    const reason = REASON_BY_METHOD[method];
    if (pool !== undefined) limited.set(`${pool} ${reason}`, [pool, reason]);
  }
  return [...limited.values()].flatMap(([pool, reason]) => {
    const { budgets = [] } = cluster.pools.get(pool) ?? {};
    const scheduled = budgets.filter(
      ({ schedule, reasons }) => schedule !== undefined && (reasons?.includes(reason) ?? true),
    );
    if (scheduled.length === 0) return [];
    const allowedAt = nextAllowedDisruption(
      budgets,
      budgetNodeCounts(cluster, pool, reason),
      reason,
      startedAt,
      windows,
    );
    return allowedAt === Infinity ? [] : scheduled.map((budget) => windowEnd(budget, startedAt));
  });
}

function consolidationTimes({ claim, labels }: ClusterNode, pools: Cluster['pools']): Instant[] {
  const after = pools.get(labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
  const since = claim?.lastPodEventAt ?? claim?.initializedAt;
  return after === undefined || since === undefined ? [] : [since + after];
}

/** When the nomination of the node and the protection of its pods end. */
function unblockingTimes({ nominatedUntil = 0, pods }: ClusterNode): Instant[] {
  return [nominatedUntil, ...(hasProtection(pods) ? pods.flatMap((pod) => protectedUntil(pod) ?? []) : [])];
}
