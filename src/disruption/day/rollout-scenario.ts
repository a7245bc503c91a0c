import { Rollout } from './day-plan';
import { RolloutController } from './rollout-controller';
import { WorkloadScaler } from './workload-scaler';
import { costOf } from '../candidates/prices';
import { ClusterBaseline } from '../scenario/cluster/cluster-baseline';
import { CONSOLIDATION_METHODS } from '../scenario/controllers/disruption/next-opportunity';
import { RolloutCost, ScenarioReport } from '../scenario/report/scenario-report';
import { ScenarioStart, startedCluster } from '../scenario/scenario-start';
import { simulate } from '../scenario/simulate';
import { consolidated } from '../stays/what-if';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The rollout that launches the fewest nodes, for comparison. */
const WITHOUT_SURGE = { maxSurge: 0, maxUnavailable: 1 };

/**
 * Each Deployment is rolled out on its own, and then all together if there are several. The cluster is consolidated
 * before, so that the nodes are those of the rollout.
 */
export function rolloutReports(start: ScenarioStart, rollouts: readonly Rollout[]): ScenarioReport[] {
  if (rollouts.length === 0) return [];
  const before = consolidated(start.baseline, start.start, start.times, start);
  const settled = before.report.stopped
    ? start
    : { ...start, baseline: before.baselineFor(before.cluster), start: before.simulated.now };
  return [
    ...rollouts.map((rollout) => rolloutReport(settled, [rollout], rollout.key)),
    ...(rollouts.length > 1 ? [rolloutReport(settled, rollouts, `all ${rollouts.length} Deployments at once`)] : []),
  ];
}

function rolloutReport(start: ScenarioStart, rollouts: readonly Rollout[], subject: string): ScenarioReport {
  const { report, cost } = rolledOut(start, rollouts, subject);
  const hasSurge = rollouts.some(({ maxSurge }) => maxSurge !== undefined && maxSurge !== 0 && maxSurge !== '0%');
  const without =
    cost.launches === 0 || !hasSurge
      ? undefined
      : rolledOut(
          start,
          rollouts.map((rollout) => ({ ...rollout, ...WITHOUT_SURGE })),
          subject,
        ).cost;
  return { ...report, rollout: { ...cost, ...(without ? { withoutSurge: without } : {}) } };
}

function rolledOut(
  start: ScenarioStart,
  rollouts: readonly Rollout[],
  subject: string,
): { readonly report: ScenarioReport; readonly cost: RolloutCost } {
  const baseline: ClusterBaseline = start.baseline.derive(start.baseline.cluster);
  const cluster = startedCluster({ ...start, baseline });
  const controller = new RolloutController(new WorkloadScaler(cluster), () => undefined);
  const before = cluster.size();
  const firstOrdinal = cluster.cloudProvider.nextOrdinal;
  let [mostNodes, extraNodes, extraCost, runningUntil] = [before.nodes, 0, 0, cluster.now];
  const report = simulate(cluster, {
    scenario: 'rollout',
    subject,
    events: [{ at: cluster.start, apply: () => rollouts.forEach((rollout) => controller.start(rollout)) }],
    methods: CONSOLIDATION_METHODS,
    onTick: start.onTick,
    reconcileWorkloads: () => controller.reconcile(),
    beforeAdvance: (next) => {
      const nodes = [...cluster.nodes.values()].map(({ node }) => node);
      mostNodes = Math.max(mostNodes, nodes.length);
      extraNodes += Math.max(0, nodes.length - before.nodes) * (next - cluster.now);
      extraCost += (costOf(nodes, cluster.baseline.initialState) - before.usdPerHour) * (next - cluster.now);
      if (rollouts.some(({ key }) => controller.isRunning(key))) runningUntil = next;
    },
  });
  const cost = {
    launches: cluster.cloudProvider.nextOrdinal - firstOrdinal,
    mostNodes,
    extraNodeMinutes: extraNodes / MINUTE,
    extraCost: Math.max(0, extraCost) / HOUR,
    seconds: Math.round((runningUntil - cluster.start) / 1_000),
    isDone: rollouts.every(({ key }) => !controller.isRunning(key)),
  };
  return { report, cost };
}
