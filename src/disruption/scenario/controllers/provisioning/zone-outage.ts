import { Label, LabelSelector, memoizeByIdentity, Requirements, RequirementSpec, selects } from '../../../../model';
import { PodGroup, PodShape, podTallies } from '../../../../scheduling';
import { Cluster } from '../../../cluster';
import { groupPendingPods, PendingGroup } from '../../cluster/pending-pods';
import { SimulatedCluster } from '../../cluster/simulated-cluster';

/**
 * Scheduling while a zone fails. Topology spread over zones (DoNotSchedule) still counts the failed zone, which has no
 * pods. So the remaining zones take only as many pods as maxSkew allows.
 */

/** The pod without its topology spread over zones (DoNotSchedule). Returns the same object if it has none. */
export const withoutZoneSpread = memoizeByIdentity((shape: PodShape): PodShape => {
  const { topologySpread = [] } = shape;
  const kept = topologySpread.filter(
    ({ topologyKey, whenUnsatisfiable }) => topologyKey !== Label.ZONE || whenUnsatisfiable !== 'DoNotSchedule',
  );
  return kept.length === topologySpread.length ? shape : { ...shape, topologySpread: kept };
});

/**
 * Zero-count groups without zone spread. With them, the solver encodes these shapes once; the report needs them at the
 * end.
 */
export function zeroCountGroupsWithoutZoneSpread(groups: readonly PodGroup[]): PodGroup[] {
  return groups.flatMap((group) => {
    const shape = withoutZoneSpread(group.shape);
    return shape === group.shape ? [] : [{ ...group, shape, count: 0 }];
  });
}

/** The pending pods, with the count of each group limited to what zone spread allows in the remaining zones. */
export function pendingGroupsWithinZoneSpread(cluster: SimulatedCluster, failedZone: string): PendingGroup[] {
  const groups = groupPendingPods(cluster.pods.pending());
  if (groups.length === 0) return [];
  const capacity = new ZoneSpreadCapacity(cluster, failedZone);
  return groups.map(({ group, pods }) => ({ group: { ...group, count: capacity.of(group) }, pods }));
}

/** Pods of one shape, by zone. */
type ZoneCounts = Map<string, number>;
type CountsByNamespace = ReadonlyMap<string, ReadonlyMap<PodShape, ZoneCounts>>;

/** How many further pods zone spread allows in the zones that remain. */
class ZoneSpreadCapacity {
  private readonly zones: readonly string[];
  private readonly counts: CountsByNamespace;

  public constructor(cluster: SimulatedCluster, failedZone: string) {
    const {
      catalog,
      scheduling: { nodePools, nodeClasses },
    } = cluster.config;
    const zonesOf = (nodeClass: string) => nodeClasses.get(nodeClass)?.zones ?? catalog.zones;
    const offered = nodePools.flatMap(({ nodeClass, requirements }) =>
      zonesOf(nodeClass).filter(isZoneAllowed(requirements)),
    );
    const used = [...cluster.nodes.values()].flatMap(({ node: { labels } }) => labels[Label.ZONE] ?? []);
    this.zones = [...new Set([...offered, ...used])].filter((zone) => zone !== failedZone);
    this.counts = countByZone(cluster.snapshot());
  }

  public of({ count, namespace, shape: { topologySpread = [] } }: PodGroup): number {
    const spread = topologySpread.filter(
      ({ topologyKey, whenUnsatisfiable }) => topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule',
    );
    const limits = spread.map(({ maxSkew, labelSelector }) =>
      this.podsPerZone(namespace, labelSelector).reduce((sum, pods) => sum + Math.max(0, maxSkew - pods), 0),
    );
    return Math.min(count, ...limits);
  }

  private podsPerZone(namespace: string, labelSelector: LabelSelector | undefined): readonly number[] {
    const pods = this.zones.map(() => 0);
    if (!labelSelector) return pods;
    this.counts.get(namespace)?.forEach((byZone, { labels = {} }) => {
      if (selects(labelSelector, labels))
        this.zones.forEach((zone, index) => {
          pods[index] += byZone.get(zone) ?? 0;
        });
    });
    return pods;
  }
}

function isZoneAllowed(requirements: readonly RequirementSpec[]): (zone: string) => boolean {
  const zones = Requirements.from(requirements.filter(({ key }) => key === Label.ZONE)).get(Label.ZONE);
  return (zone) => zones.has(zone);
}

function countByZone({ nodes }: Cluster): CountsByNamespace {
  const counts = new Map<string, Map<PodShape, ZoneCounts>>();
  for (const {
    labels: { [Label.ZONE]: zone },
    pods,
  } of nodes) {
    if (zone === undefined) continue;
    for (const {
      sample: { namespace, shape, terminating },
      count,
    } of podTallies(pods)) {
      if (terminating) continue;
      const byShape = counts.get(namespace) ?? new Map<PodShape, ZoneCounts>();
      counts.set(namespace, byShape);
      const byZone = byShape.get(shape) ?? new Map<string, number>();
      byShape.set(shape, byZone.set(zone, (byZone.get(zone) ?? 0) + count));
    }
  }
  return counts;
}
