import { setField, unsafeFix } from '../../../contract';
import { countText, Label, listText, memoizeByIdentity, Requirements } from '../../../model';
import { TopologySpread, SchedulePlan } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { WorkloadManifest } from '../../manifest/model';
import { placementsOf } from '../common/placements';
import { canHold, requirementAlternatives, selectsOwnPods } from '../common/pod-constraints';
import { poolsOf } from '../common/pool';
import { defineRule, Judgement, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

/** The zones of a spread. */
interface SpreadZones {
  /** Where the NodePools that can hold the pods may launch nodes, by their requirements. */
  readonly allowed: readonly string[];
  /** The allowed zones that offer an instance type of these NodePools. */
  readonly offering: readonly string[];
}

/**
 * A zone without nodes counts as 0 pods, so each other zone gets at most `maxSkew` pods.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread
 */
export const spreadOverZoneWithoutTypes = defineRule({
  id: 'KARP-218',
  name: 'spread-over-zone-without-types',
  severity: 'error',
  summary:
    'Pods must spread over more zones than offer the instance types of their NodePools: the pods beyond maxSkew stay Pending.',
  subjects: workloads(),
  judge(workload, context) {
    const index =
      workload.shape?.topologySpread?.findIndex((spread) => isOverZones(spread) && selectsOwnPods(spread, workload)) ??
      -1;
    if (index < 0) return NOT_APPLICABLE;
    const left = podGroupIndices(workload).reduce((sum, group) => sum + (pendingPods(context.plan).get(group) ?? 0), 0);
    return left > 0 ? judgeSpread(context, workload, index, left) : undefined;
  },
});

/** The number of pods without a node, by pod group. */
const pendingPods = memoizeByIdentity(({ unschedulable }: SchedulePlan): ReadonlyMap<number, number> => {
  const pending = new Map<number, number>();
  for (const { group } of unschedulable) pending.set(group, (pending.get(group) ?? 0) + 1);
  return pending;
});

function judgeSpread(context: RuleContext, workload: WorkloadManifest, index: number, left: number): Judgement {
  const { maxSkew, minDomains } = workload.shape!.topologySpread![index];
  const zones = launchZonesOf(context, workload);
  const { allowed, offering } = zones;
  const empty = allowed.filter((zone) => !offering.includes(zone));
  const isBeyondDomains = minDomains !== undefined && minDomains > offering.length;
  const lacksZones = empty.length > 0 || isBeyondDomains;
  if (offering.length === 0 || !lacksZones || !isFull(context, workload, offering, maxSkew)) return undefined;
  const wanted =
    minDomains !== undefined && minDomains > allowed.length
      ? `must spread over minDomains: ${minDomains} zones`
      : `must spread over ${listText(allowed)}`;
  const available =
    empty.length === 0
      ? `its pods and NodePools allow only ${listText(offering)}`
      : `only ${listText(offering)} ${offering.length === 1 ? 'offers' : 'offer'} the instance types of its NodePools`;
  const path = [...workload.podPath, 'topologySpreadConstraints', index, ...(isBeyondDomains ? ['minDomains'] : [])];
  return {
    path,
    message:
      `${wanted}, but ${available}: each zone gets at most maxSkew: ${maxSkew}, so ${left} of its ${countText(workload.replicas, 'pod')} ` +
      `${left === 1 ? 'stays' : 'stay'} Pending`,
    remedy: remedyFor(zones, empty, isBeyondDomains),
    evidence: { zones: allowed, zonesWithTypes: offering, maxSkew, minDomains: minDomains ?? null, pending: left },
    fix: isBeyondDomains && empty.length === 0 ? unsafeFix(setField(path, offering.length)) : undefined,
  };
}

function isOverZones({ topologyKey, whenUnsatisfiable }: TopologySpread): boolean {
  return topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule';
}

/** The zones in which NodePools that can hold the pods may launch nodes. */
export function launchZonesOf(context: RuleContext, { shape }: WorkloadManifest): SpreadZones {
  const pools = poolsOf(context).filter((pool) => pool.launch !== undefined && canHold(pool, shape!));
  const ofPod = requirementAlternatives(shape!).map((specs) => Requirements.from(specs).get(Label.ZONE));
  const ofPools = pools.map(({ requirements }) => requirements!.get(Label.ZONE));
  const allowed = context.catalog.zones.filter((zone) =>
    [ofPod, ofPools].every((alternatives) => alternatives.some((requirement) => requirement.has(zone))),
  );
  return { allowed, offering: allowed.filter((zone) => pools.some(({ launch }) => launch!.view.zones.includes(zone))) };
}

/** Whether each zone already has as many of the pods as the spread allows next to a zone without pods. */
function isFull(context: RuleContext, workload: WorkloadManifest, zones: readonly string[], maxSkew: number): boolean {
  const pods = new Map<string, number>();
  for (const placement of placementsOf(context, workload)) {
    if (placement.zones.length === 1)
      pods.set(placement.zones[0], (pods.get(placement.zones[0]) ?? 0) + placement.pods);
  }
  return zones.every((zone) => (pods.get(zone) ?? 0) >= maxSkew);
}

function remedyFor({ offering }: SpreadZones, empty: readonly string[], isBeyondDomains: boolean): string {
  const domains = isBeyondDomains ? `write minDomains: ${offering.length} or less` : '';
  if (empty.length === 0) return `${domains}, or let NodePools use more zones`;
  const zones = `require ${listText(offering)} in the pods' node affinity on ${Label.ZONE}`;
  return `allow instance types that ${listText(empty)} ${empty.length === 1 ? 'offers' : 'offer'}, or ${zones}${domains === '' ? '' : ` and ${domains}`}`;
}
