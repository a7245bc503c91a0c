import { remainingDisruptions, scaledUp } from './budgets';
import { Candidate, findCandidates, Scene, stillThere } from './candidates';
import { ClusterNode, Instant } from './cluster';
import { Command, commandOf, Outcome, Refusal } from './command';
import { disruptionCost } from './costs';
import { Deciding, View } from './deciding';
import { replacementsOf } from './drift';
import { simulate } from './simulation';
import { AT_NODE_LIMIT, headroom, RESERVATIONS_FULL, staticBlock, staticReplacement } from './static-drift';
import { fitsOnceGone, fullReservationsOf, isInOneOf, terminateFirst } from './terminate-first';
import { heldByBudget } from './within-budgets';
import { Label } from '../model';

/** Of the nodes of a NodePool: where more are not well, something else is wrong, and replacing them would not help. */
const MOST_UNHEALTHY = '20%';
const DO_NOT_REPAIR = 'karpenter.sh/do-not-repair';

/**
 * Replaces one node that has not been well for long, the one first that might have been replaced for longest: with its pods' places found
 * before, as for drift, but with whatever keeps them there overridden after some minutes.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/repair.go
 */
export function* repair(view: View): Deciding<Outcome> {
  const { scene } = view;
  const { cluster, now } = scene;
  if (!cluster.settings?.nodeRepair) return { commands: [], refusals: [] };
  const sick = cluster.nodes.filter((node) => repairableSince(node) <= now);
  const { candidates, blocked } = findCandidates(scene, 'repair', sick);
  const [vetoed, open] = [candidates.filter(isVetoed), candidates.filter((candidate) => !isVetoed(candidate))];
  const refusals: Refusal[] = [
    ...blocked.map(({ node, why }) => ({ nodes: [node], why })),
    ...vetoed.map(({ node: { name } }) => ({ nodes: [name], why: `repair is blocked through the "${DO_NOT_REPAIR}" annotation` })),
  ];
  const remaining = remainingDisruptions(cluster, 'Unhealthy', now);
  for (const candidate of inOrder(open, scene)) {
    const current = stillThere(candidate, view.scene);
    if (!current) continue;
    const block = blockOf(candidate, scene, remaining);
    const found = block ?? replacementFor(current, view.scene);
    if (block === undefined && !isStatic(current, view.scene)) yield;
    if (typeof found !== 'string' && 'method' in found) return { commands: [{ ...found, drainBound: boundOf(candidate, now) }], refusals };
    refusals.push(typeof found === 'string' ? { nodes: [candidate.node.name], why: found } : found);
  }
  return { commands: [], refusals };
}

function isVetoed({ node: { annotations } }: Candidate): boolean {
  return annotations?.[DO_NOT_REPAIR] === 'true';
}

function inOrder(candidates: readonly Candidate[], { now }: Scene): Candidate[] {
  return [...candidates].sort((left, right) => repairableSince(left.node) - repairableSince(right.node)
    || disruptionCost(left.node, now) - disruptionCost(right.node, now) || (left.node.name < right.node.name ? -1 : 1));
}

function blockOf({ node, nodePool }: Candidate, { cluster }: Scene, remaining: ReadonlyMap<string, number>): Refusal | undefined {
  if (isCorrelated(nodePool, cluster.nodes)) return { nodes: [node.name], why: `more than ${MOST_UNHEALTHY} of nodes in nodepool "${nodePool}" are unhealthy` };
  return node.initialized && (remaining.get(nodePool) ?? 0) === 0 ? heldByBudget(node.name, nodePool) : undefined;
}

function isCorrelated(nodePool: string, nodes: readonly ClusterNode[]): boolean {
  const own = nodes.filter(({ labels, claimOnly }) => labels[Label.NODE_POOL] === nodePool && !claimOnly);
  return own.filter(({ faults = [] }) => faults.length > 0).length > scaledUp(MOST_UNHEALTHY, own.length)!;
}

function isStatic({ nodePool }: Candidate, { cluster: { scheduling } }: Scene): boolean {
  return scheduling.nodePools.some(({ name, replicas }) => name === nodePool && replicas !== undefined);
}

/** Or why there is none. */
function replacementFor(candidate: Candidate, scene: Scene): Command | string {
  const { settings } = scene.cluster;
  if (isStatic(candidate, scene)) return staticReplacementFor(candidate, scene);
  const simulation = simulate(scene, [candidate], false, { includesKept: true });
  const failure = simulation.failure();
  if (failure === undefined) return commandOf('Repair', [candidate], replacementsOf(simulation), simulation.destinations);
  const goesFirst = settings?.terminateFirstRepair === true && fitsOnceGone(candidate, scene, true);
  return goesFirst ? terminateFirst('Repair', candidate, 'no-reserved-capacity') : failure;
}

function staticReplacementFor(candidate: Candidate, scene: Scene): Command | string {
  const { nodePool } = candidate;
  const why = staticBlock(nodePool, scene);
  if (why !== undefined) return why;
  const goesFirst = scene.cluster.settings?.terminateFirstRepair === true;
  const full = goesFirst ? fullReservationsOf(nodePool, scene) : undefined;
  if (full) return isInOneOf(full, candidate) ? terminateFirst('Repair', candidate, 'no-reserved-capacity') : RESERVATIONS_FULL;
  if (headroom(nodePool, scene) > 0) return staticReplacement('Repair', candidate);
  return goesFirst ? terminateFirst('Repair', candidate, 'static-at-limit') : AT_NODE_LIMIT;
}

/** The shortest of its faults that have lasted long enough. */
function boundOf({ node: { claim, faults = [] } }: Candidate, now: Instant): number {
  const lasting = faults.filter(({ since, tolerated }) => since + tolerated <= now);
  return Math.min(...lasting.map(({ drainBound }) => drainBound), claim?.terminationGracePeriod ?? Infinity);
}

/** Infinite of a node that is well. */
export function repairableSince({ faults = [] }: Pick<ClusterNode, 'faults'>): Instant {
  return Math.min(...faults.map(({ since, tolerated }) => since + tolerated));
}
