import { ZoneLossResult, zoneLossResultOf, zoneLossText, needsZoneLossSimulation } from './zone-loss-result';
import { countText, Label, listText } from '../../../../model';
import { PdbManifest, WorkloadManifest } from '../../../manifest/model';
import { isPlacedSoInMostFleets, Placement, placementsOf } from '../../common/placements';
import { requirementAlternatives } from '../../common/pod-constraints';
import { pdbsSelecting, pdbAllowanceOf, workloadsSelectedBy } from '../../common/pod-disruption-budgets';
import { poolsOf } from '../../common/pool';
import { minimumReplicas } from '../../common/replicas';
import { optOutReason } from '../../common/serving-workloads';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';

/**
 * Counts pods that a zone outage certainly loses: a planned node that may be in several zones counts for none. The
 * rest of the outage is simulated if something may keep pods from getting a new node. If all pods could get a node in
 * another zone, their zones are a result of the packing, which pods without a node distort.
 */
export const zoneLossSurvival = defineRule({
  id: 'KARP-425',
  name: 'zone-loss-survival',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'A zone outage loses all pods of a workload, more than its PodDisruptionBudget tolerates, or pods that no other zone accepts.',
  subjects: // If the catalog has a single zone, there is no other zone to use.
    longRunningWorkloads({ where: (_, { catalog }) => catalog.zones.length > 1 }),
  judge(workload, context) {
    const { running = 0 } = workload;
    const { pods, unknown: why } = minimumReplicas(context.model, workload);
    if (why === undefined && pods < 2) return NOT_APPLICABLE;
    if (optOutReason(workload, 'zone-spread') !== undefined) return undefined;
    if (why !== undefined) return unknown(why);
    const placements = placementsOf(context, workload);
    const onUnknownNodes = running - placements.reduce((sum, placement) => sum + placement.running, 0);
    if (onUnknownNodes > 0) {
      return unknown(
        `the input does not contain the ${onUnknownNodes === 1 ? 'node' : 'nodes'} of ${countText(onUnknownNodes, 'running pod')}`,
      );
    }
    if (placements.length === 0) return unknown('the plan has no node for its pods');
    const zones = [...new Set(placements.flatMap((placement) => placement.zones))];
    if (placements.some((placement) => placement.zones.length === 0))
      return unknown('the zone of one of its nodes is unknown');
    if (zones.length === 1 && !isPlacedSoInMostFleets(context, workload, areInOneZone)) return undefined;
    const finding =
      zones.length === 1
        ? allLost(context, workload, zones[0], placements)
        : (tooFewLeft(context, workload, placements) ?? notRescheduled(context, workload, placements));
    if (finding?.evidence.withoutNode === 0 && context.plan.unschedulable.length > 0)
      return unknown('its zones may be others once the pods without a node have one');
    return finding;
  },
});

function areInOneZone(placements: readonly Placement[]): boolean {
  return new Set(placements.flatMap(({ zones }) => zones)).size === 1;
}

function allLost(
  context: RuleContext,
  workload: WorkloadManifest,
  zone: string,
  placements: readonly Placement[],
): SubjectFinding {
  const { podPath } = workload;
  const result = simulatedLoss(context, workload, zone);
  const pools = [...new Set(placements.flatMap(({ nodePool }) => nodePool ?? []))].sort();
  const pods = podsOn(placements);
  const nodes = placements.length === 1 ? 'its only node' : 'all its nodes';
  // EC2 chooses the zone of a planned node, unless the NodePool or the pods allow only one.
  const isChosenByEc2 = placements.every(({ claim }) => claim !== undefined) && !isConfined(context, workload, pools);
  const where = `${placements.length === 1 ? 'is' : 'are'} in ${isChosenByEc2 ? `one zone, such as ${zone}` : zone}`;
  return {
    path: podPath,
    message: `${nodes}${pools.length === 0 ? '' : `, of NodePool ${listText(pools)},`} ${where}: an outage of that zone loses all ${pods} pods${zoneLossText(result)}`,
    remedy: moreZonesRemedy(context, workload, pools),
    evidence: { zone, nodePools: pools, left: 0, pods, withoutNode: result?.pods ?? null },
  };
}

function isConfined(context: RuleContext, workload: WorkloadManifest, pools: readonly string[]): boolean {
  return isPinned(workload) || confinedPools(context, pools).length > 0;
}

/** The NodePools that launch nodes in one zone only. */
function confinedPools(context: RuleContext, pools: readonly string[]): string[] {
  const { catalog } = context;
  return poolsOf(context)
    .filter(({ name, requirements }) => {
      const zones = requirements?.get(Label.ZONE);
      return pools.includes(name) && zones !== undefined && catalog.zones.filter((zone) => zones.has(zone)).length < 2;
    })
    .map(({ name }) => name);
}

/** Whether the pods select one zone. */
function isPinned({ shape }: WorkloadManifest): boolean {
  return (
    shape !== undefined &&
    requirementAlternatives(shape).every((specs) =>
      specs.some(({ key, operator, values }) => key === Label.ZONE && operator === 'In' && values?.length === 1),
    )
  );
}

/** What keeps the pods in one zone: the NodePools, the pods' own selection, or a spread that is missing or soft. */
function moreZonesRemedy(context: RuleContext, workload: WorkloadManifest, pools: readonly string[]): string {
  const { shape } = workload;
  const confined = confinedPools(context, pools);
  const ofZones = (shape?.topologySpread ?? []).find(({ topologyKey }) => topologyKey === Label.ZONE);
  const spread =
    ofZones === undefined
      ? `spread the pods over ${Label.ZONE}`
      : ofZones.whenUnsatisfiable === 'ScheduleAnyway'
        ? `write whenUnsatisfiable: DoNotSchedule in their spread over ${Label.ZONE}`
        : undefined;
  const parts = [
    ...(confined.length === 0 ? [] : [`let NodePool ${listText(confined)} use more zones`]),
    ...(isPinned(workload) ? ['let the pods select more zones'] : []),
    ...(shape?.staysInZone ? ['create volumes in each zone'] : []),
    ...(spread === undefined ? [] : [spread]),
  ];
  return parts.length === 0 ? 'let the NodePool and the pods use more zones' : listText(parts);
}

/**
 * Uses minAvailable as the number of pods that the workload needs, if the budget selects this workload only.
 * maxUnavailable limits evictions, and says nothing about outages.
 */
function tooFewLeft(
  context: RuleContext,
  workload: WorkloadManifest,
  placements: readonly Placement[],
): SubjectFinding | undefined {
  const pods = podsOn(placements);
  const pdb = pdbsSelecting(context.model, workload).find(
    (selecting) => selecting.minAvailable !== undefined && workloadsSelectedBy(context.model, selecting).length === 1,
  );
  const needed = pdb && neededPods(pdb, pods);
  // KARP-403 reports a budget that needs all pods.
  if (!pdb || needed === undefined || needed >= pods) return undefined;
  const leavesTooFew = (of: readonly Placement[]) => podsOn(of) - largestLoss(of)[1] < needed;
  if (!leavesTooFew(placements) || !isPlacedSoInMostFleets(context, workload, leavesTooFew)) return undefined;
  const [zone, most] = largestLoss(placements);
  const result = simulatedLoss(context, workload, zone);
  return {
    path: [...workload.podPath, 'topologySpreadConstraints'],
    message:
      `${most} of ${pods} pods are in ${zone}: an outage of that zone leaves ${pods - most}, but PodDisruptionBudget ${pdb.name} requires ${needed}` +
      zoneLossText(result),
    remedy: `spread the pods evenly over the zones, and run enough that ${needed} remain without one zone`,
    evidence: { zone, left: pods - most, needed, pods, withoutNode: result?.pods ?? null },
  };
}

/**
 * Pods that are tied to zones of their own cannot move by design, so they are left out here; `tooFewLeft` has
 * judged the remaining pods.
 */
function notRescheduled(
  context: RuleContext,
  workload: WorkloadManifest,
  placements: readonly Placement[],
): SubjectFinding | undefined {
  if (!needsZoneLossSimulation(context, workload, placements)) return undefined;
  const results = context.catalog.zones.map((zone) => ({ zone, ...zoneLossResultOf(context, workload, zone) }));
  const {
    zone,
    pods: pending = 0,
    why,
  } = results.reduce((worst, result) => ((result.pods ?? 0) > (worst.pods ?? 0) ? result : worst));
  const pods = podsOn(placements);
  if (pending === 0) return undefined;
  return {
    path: workload.podPath,
    message: `after an outage of ${zone}, ${pending} of ${countText(pods, 'pod')} ${pending === 1 ? 'stays' : 'stay'} Pending (simulated): ${why}`,
    remedy: `let NodePools use the other zones, with limits that leave room for these pods${workload.shape?.staysInZone ? ', and with volumes in each' : ''}`,
    evidence: { zone, left: pods - pending, pods, withoutNode: pending },
  };
}

/** Only the message has the result if all pods have a node. A trial needs no message, so it simulates nothing then. */
function simulatedLoss(context: RuleContext, workload: WorkloadManifest, zone: string): ZoneLossResult | undefined {
  const isShown = context.isTrial !== true || context.plan.unschedulable.length > 0;
  return isShown ? zoneLossResultOf(context, workload, zone) : undefined;
}

function podsOn(placements: readonly Placement[]): number {
  return placements.reduce((sum, { pods }) => sum + pods, 0);
}

/** The zone with the most pods that are certainly in it, and their number. */
function largestLoss(placements: readonly Placement[]): readonly [zone: string, pods: number] {
  const lost = new Map<string, number>();
  for (const {
    zones: [zone, ...others],
    pods,
  } of placements)
    if (others.length === 0) lost.set(zone, (lost.get(zone) ?? 0) + pods);
  return [...lost].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
}

function neededPods(pdb: PdbManifest, pods: number): number | undefined {
  const allowance = pdbAllowanceOf(pdb, pods);
  return allowance && pods - allowance.allowed;
}
