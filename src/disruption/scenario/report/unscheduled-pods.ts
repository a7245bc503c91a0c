import { UnscheduledPods } from './scenario-report';
import { planOf, PodGroup } from '../../../scheduling';
import { podKey } from '../../pods';
import { groupPendingPods } from '../cluster/pending-pods';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { SimulatedPod, workloadKeyOf } from '../cluster/simulated-pod';
import { schedulingInput } from '../controllers/provisioning/scheduling-input';
import { pendingGroupsWithinZoneSpread, withoutZoneSpread } from '../controllers/provisioning/zone-outage';

const ENDLESS_LAUNCHES = 'Karpenter launches nodes without end, because no launched node fits the pod';

/**
 * Why pods are without a node at the end, or were not recreated. Pods that would be scheduled next are left out.
 *
 * @param launchesEndlessly whether nodes were launched without end
 */
export function unscheduledPods(cluster: SimulatedCluster, launchesEndlessly: boolean): UnscheduledPods[] {
  const refused = refusedPods(cluster);
  const explained = new Set(refused.flatMap(({ pods }) => pods));
  const others = launchesEndlessly ? groupPendingPods(cluster.pods.pending()) : [];
  return [
    ...refused,
    ...others.flatMap(({ pods }) =>
      unscheduled(
        pods.filter(({ pod }) => !explained.has(podKey(pod))),
        ENDLESS_LAUNCHES,
      ),
    ),
    ...cluster.podLifecycle.statefulSets.missingPods.map(
      (pod): UnscheduledPods => ({
        workload: workloadKeyOf(pod),
        pods: [podKey(pod)],
        why: 'its StatefulSet creates it only when the pods before it are ready',
      }),
    ),
  ];
}

function refusedPods(cluster: SimulatedCluster): UnscheduledPods[] {
  const { failedZone } = cluster;
  const groups =
    failedZone === undefined
      ? groupPendingPods(cluster.pods.pending())
      : pendingGroupsWithinZoneSpread(cluster, failedZone);
  if (groups.length === 0) return [];
  const refusals = refusalsOf(
    cluster,
    groups.map(({ group }) => group),
  );
  const aboveSpread = groups.filter(({ group, pods }) => pods.length > group.count);
  // Some pods that zone spread keeps out could not be scheduled without it either; that reason is more useful.
  const refusalsWithoutSpread = refusalsOf(
    cluster,
    aboveSpread.map(({ group, pods }) => ({
      ...group,
      count: pods.length - group.count,
      shape: withoutZoneSpread(group.shape),
    })),
  );
  return groups.flatMap((pendingGroup, index) => {
    const {
      group: { count },
      pods,
    } = pendingGroup;
    const { refused, why } = refusals[index];
    const withoutSpread = refusalsWithoutSpread[aboveSpread.indexOf(pendingGroup)] ?? { refused: 0, why: '' };
    const spread = `topology spread over zones still counts ${failedZone}, and allows no more pods in the others`;
    return [
      ...unscheduled(pods.slice(count - refused, count), why),
      ...unscheduled(pods.slice(count, pods.length - withoutSpread.refused), spread),
      ...unscheduled(pods.slice(pods.length - withoutSpread.refused), withoutSpread.why),
    ];
  });
}

/** For each group, how many pods cannot be scheduled, and why. */
function refusalsOf(
  cluster: SimulatedCluster,
  groups: readonly PodGroup[],
): Array<{ readonly refused: number; readonly why: string }> {
  if (groups.length === 0) return [];
  const {
    failedZone,
    config: {
      scheduling: { nodePools },
      catalog,
    },
    baseline: { variants },
    session,
  } = cluster;
  const pools = failedZone === undefined ? nodePools : variants.poolsOutside(failedZone, nodePools);
  const input = schedulingInput(cluster, groups, pools);
  const { unschedulable, notEvaluated } = planOf(session.scheduling.solve(input), input, catalog);
  return groups.map(({ count }, index) => {
    const unevaluated = notEvaluated.find(({ group }) => group === index);
    if (unevaluated)
      return {
        refused: count,
        why: `it is not evaluated, and therefore not scheduled: ${unevaluated.causes.join(', ')}`,
      };
    const refused = unschedulable.filter(({ group }) => group === index);
    return { refused: refused.length, why: refused.length === 0 ? '' : reasonsText(refused[0].reasons, cluster) };
  });
}

/** Karpenter leaves out a NodePool if EC2 launches none of its instance types now. */
function reasonsText(
  reasons: ReadonlyArray<{ readonly nodePool: string; readonly message: string }>,
  { cloudProvider, config }: SimulatedCluster,
): string {
  const unmentioned = cloudProvider.hasUnavailable
    ? config.scheduling.nodePools.filter(({ name, replicas }) => {
        return replicas === undefined && reasons.every(({ nodePool }) => nodePool !== name);
      })
    : [];
  return [
    ...reasons.map(({ message }) => message),
    ...unmentioned.map(({ name }) => `EC2 launches no instance type of NodePool ${name} now`),
  ].join('; ');
}

function unscheduled(pods: readonly SimulatedPod[], why: string): UnscheduledPods[] {
  if (pods.length === 0 || why === '') return [];
  const workload = workloadKeyOf(pods[0].pod);
  return [{ ...(workload === undefined ? {} : { workload }), pods: pods.map(({ pod }) => podKey(pod)), why }];
}
