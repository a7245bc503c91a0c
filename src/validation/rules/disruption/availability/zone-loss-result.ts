import { workloadKey } from '../../../../disruption';
import { countText } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { Placement } from '../../common/placements';
import { RuleContext } from '../../rule';
import { simulatedZoneOutages } from '../simulations';

/** Pods of a workload that have no node at the end of a simulated zone outage, and why. */
export interface ZoneLossResult {
  readonly pods: number;
  readonly why?: string;
}

/** Undefined if the outage cannot be simulated. */
export function zoneLossResultOf(
  context: RuleContext,
  { kind, namespace, name }: WorkloadManifest,
  zone: string,
): ZoneLossResult | undefined {
  const report = simulatedZoneOutages(context)?.find(({ subject }) => subject === zone);
  const key = workloadKey(namespace, { kind, name });
  const unplaced = report?.unplaced.filter(({ workload }) => workload === key);
  return unplaced && { pods: unplaced.reduce((sum, { pods }) => sum + pods.length, 0), why: unplaced[0]?.why };
}

export function zoneLossText(result: ZoneLossResult | undefined): string {
  if (result === undefined) return '';
  const { pods, why } = result;
  return pods === 0
    ? '; simulated: all get a node in another zone'
    : `; simulated: ${countText(pods, 'pod')} ${pods === 1 ? 'stays' : 'stay'} Pending: ${why}`;
}

/**
 * Whether an outage may leave pods Pending: volumes tie all pods to a zone, a node can be in one zone only, or a
 * NodePool is near its limit.
 */
export function needsZoneLossSimulation(
  context: RuleContext,
  { shape }: WorkloadManifest,
  placements: readonly Placement[],
): boolean {
  if (shape === undefined || hasRequiredPlacement(shape)) return false;
  // Of several nodes it is unknown which share a zone.
  if (shape.staysInZone) return placements.length === 1;
  const pools = new Set(placements.flatMap(({ nodePool }) => nodePool ?? []));
  return placements.some(({ zones }) => zones.length === 1) || [...pools].some((pool) => isNearLimit(context, pool));
}

function hasRequiredPlacement({ topologySpread = [], podAffinity, podAntiAffinity }: PodShape): boolean {
  const terms = [...(podAffinity?.required ?? []), ...(podAntiAffinity?.required ?? [])];
  return terms.length > 0 || topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
}

/**
 * Whether pods request at least half of a limit. Nodes are larger than their pods' requests, so the pods of a lost
 * zone may then not fit.
 */
function isNearLimit({ input, plan }: RuleContext, nodePool: string): boolean {
  const limits = input.nodePools.find(({ name }) => name === nodePool)?.limits ?? new Map<string, bigint>();
  const claims = plan.nodeClaims.filter((claim) => claim.nodePool === nodePool);
  const requested = (resource: string) =>
    claims.reduce((sum, { requests }) => sum + (resource === 'nodes' ? 1n : (requests.get(resource) ?? 0n)), 0n);
  return [...limits].some(([resource, limit]) => requested(resource) * 2n > limit);
}
