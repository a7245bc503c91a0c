import { Label } from '../../model';
import { budgetRefusal, remainingDisruptions } from '../budgets/disruption-budgets';
import { scaledRoundedUp } from '../budgets/pdb-limit';
import { currentCandidate, findCandidates } from '../candidates/candidates';
import { disruptionCost } from '../candidates/costs';
import { ClusterNode, Instant } from '../cluster';
import { ClusterView, DisruptionContext, PassGenerator } from '../context';
import { ClusterState } from '../session';
import { simulateScheduling } from '../simulation/simulate-scheduling';
import { Candidate, Command, commandOf, MethodOutcome, Refusal } from '../types';
import { isStaticPool, replacementsFromNodeClaims } from './consolidation';
import { AT_NODE_LIMIT, nodeLimitHeadroom, RESERVATIONS_FULL, scaleDownBlock, staticReplacement } from './static-drift';
import { fitsInFreedReservation, fullStaticReservations, holdsReservation, terminateFirst } from './terminate-first';

/** If more nodes of a NodePool are unhealthy, the cause is not the nodes, and Karpenter replaces none. */
const MAX_UNHEALTHY = '20%';
const DO_NOT_REPAIR = 'karpenter.sh/do-not-repair';

/**
 * Replaces one node that has been unhealthy for longer than tolerated, the longest overdue first. Replacements are
 * simulated as for drift, but nothing blocks the eviction of pods once the drain bound is over.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/repair.go
 */
export function* repair(view: ClusterView): PassGenerator<MethodOutcome> {
  const { context } = view;
  const { cluster, now } = context;
  if (!cluster.settings?.nodeRepair) return { commands: [], refusals: [] };
  const unhealthy = cluster.nodes.filter((node) => repairableSince(node) <= now);
  const { candidates, blocked } = findCandidates(context, 'repair', unhealthy);
  const refusals: Refusal[] = [
    ...blocked.map(({ node, why }) => ({ nodes: [node], why })),
    ...candidates.filter(hasDoNotRepair).map(({ node: { name } }) => ({
      nodes: [name],
      why: `repair is blocked through the "${DO_NOT_REPAIR}" annotation`,
    })),
  ];
  const remaining = remainingDisruptions(context, 'Unhealthy');
  for (const candidate of inRepairOrder(
    candidates.filter((open) => !hasDoNotRepair(open)),
    now,
  )) {
    const current = currentCandidate(candidate, view.context);
    if (!current) continue;
    const block = repairBlock(candidate, context, remaining);
    const decision = block ?? computeCommand(current, view.context);
    if (block === undefined && !isStaticPool(current.nodePool, view.context.cluster.scheduling)) yield;
    if (typeof decision !== 'string' && 'method' in decision) {
      return { commands: [{ ...decision, drainBound: effectiveDrainBound(candidate, now) }], refusals };
    }
    refusals.push(typeof decision === 'string' ? { nodes: [candidate.node.name], why: decision } : decision);
  }
  return { commands: [], refusals };
}

function hasDoNotRepair({ node: { annotations } }: Candidate): boolean {
  return annotations?.[DO_NOT_REPAIR] === 'true';
}

function inRepairOrder(candidates: readonly Candidate[], now: Instant): Candidate[] {
  return [...candidates].sort(
    (left, right) =>
      repairableSince(left.node) - repairableSince(right.node) ||
      disruptionCost(left.node, now) - disruptionCost(right.node, now) ||
      (left.node.name < right.node.name ? -1 : 1),
  );
}

function repairBlock(
  { node, nodePool }: Candidate,
  { cluster }: ClusterState,
  remaining: ReadonlyMap<string, number>,
): Refusal | undefined {
  if (isBreakerTripped(nodePool, cluster.nodes)) {
    return { nodes: [node.name], why: `more than ${MAX_UNHEALTHY} of nodes in nodepool "${nodePool}" are unhealthy` };
  }
  return node.initialized && (remaining.get(nodePool) ?? 0) === 0 ? budgetRefusal(node.name, nodePool) : undefined;
}

/** Whether too many nodes of the NodePool are unhealthy to replace any. */
function isBreakerTripped(nodePool: string, nodes: readonly ClusterNode[]): boolean {
  const poolNodes = nodes.filter(({ labels, claimOnly }) => labels[Label.NODE_POOL] === nodePool && !claimOnly);
  return (
    poolNodes.filter(({ faults = [] }) => faults.length > 0).length > scaledRoundedUp(MAX_UNHEALTHY, poolNodes.length)!
  );
}

/** The command, or why there is none. */
function computeCommand(candidate: Candidate, context: DisruptionContext): Command | string {
  const { settings, scheduling } = context.cluster;
  if (isStaticPool(candidate.nodePool, scheduling)) return computeStaticCommand(candidate, context);
  const simulation = simulateScheduling(context, [candidate], { includesBlockedPods: true });
  const failure = simulation.failure();
  if (failure === undefined)
    return commandOf('Repair', [candidate], replacementsFromNodeClaims(simulation), simulation.destinations);
  const isTerminatedFirst = settings?.terminateFirstRepair === true && fitsInFreedReservation(candidate, context, true);
  return isTerminatedFirst ? terminateFirst('Repair', candidate, 'no-reserved-capacity') : failure;
}

function computeStaticCommand(candidate: Candidate, state: ClusterState): Command | string {
  const { nodePool } = candidate;
  const why = scaleDownBlock(nodePool, state);
  if (why !== undefined) return why;
  const mayTerminateFirst = state.cluster.settings?.terminateFirstRepair === true;
  const fullReservations = mayTerminateFirst ? fullStaticReservations(nodePool, state) : undefined;
  if (fullReservations) {
    return holdsReservation(candidate, fullReservations)
      ? terminateFirst('Repair', candidate, 'no-reserved-capacity')
      : RESERVATIONS_FULL;
  }
  if (nodeLimitHeadroom(nodePool, state) > 0) return staticReplacement('Repair', candidate);
  return mayTerminateFirst ? terminateFirst('Repair', candidate, 'static-at-limit') : AT_NODE_LIMIT;
}

/** The shortest drain bound of the faults that are no longer tolerated. */
function effectiveDrainBound({ node: { claim, faults = [] } }: Candidate, now: Instant): number {
  const overdue = faults.filter(({ since, tolerationDuration }) => since + tolerationDuration <= now);
  return Math.min(...overdue.map(({ drainBound }) => drainBound), claim?.terminationGracePeriod ?? Infinity);
}

/** When the first fault of the node is no longer tolerated; infinite for a healthy node. */
export function repairableSince({ faults = [] }: Pick<ClusterNode, 'faults'>): Instant {
  return Math.min(...faults.map(({ since, tolerationDuration }) => since + tolerationDuration));
}
