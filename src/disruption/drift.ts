import { Label } from '../model';
import { remainingDisruptions } from './budgets';
import { Candidate, findCandidates, Scene } from './candidates';
import { commandOf, Command, Outcome, Refusal } from './command';
import { claimPrices, replacementOf } from './consolidation';
import { Foresight } from './foresight';
import { simulate } from './simulation';
import { heldByBudget } from './within-budgets';

/** The cheapest that a claim names. */
export const MOST_TYPES = 600;
/** A static pool leaves the choice to EC2. */
export const STATIC_REPLACEMENT = { instanceTypes: [], zones: [], capacityTypes: [] } as const;

/**
 * Replaces one drifted node, at any price and by as many nodes as its pods need: one without pods first, then the one that has
 * drifted for longest.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/drift.go
 */
export function drift(scene: Scene): Outcome {
  const drifted = driftedCandidates(scene, false);
  const refusals: Refusal[] = [...drifted.refusals];
  const remaining = remainingDisruptions(scene.cluster, 'Drifted', scene.now);
  const isAllowed = ({ nodePool }: Candidate) => (remaining.get(nodePool) ?? 0) > 0;
  const candidates = inOrder(drifted.candidates);
  const foresight = new Foresight(scene, candidates.filter(isAllowed), false);
  let tried = 0;
  for (const candidate of candidates) {
    const { node: { name }, nodePool } = candidate;
    if (!isAllowed(candidate)) {
      refusals.push(heldByBudget(name, nodePool));
      continue;
    }
    if (foresight.refuses(tried++)) {
      refusals.push({ nodes: [name], get why() { return simulate(scene, [candidate], false).failure()!; } });
      continue;
    }
    const simulation = simulate(scene, [candidate], false);
    const failure = simulation.failure();
    if (failure === undefined) {
      const replacements = simulation.claims.map((claim) =>
        replacementOf(claim, claimPrices(claim, simulation.solved), claim.instanceTypes.slice(0, MOST_TYPES)));
      return { commands: [commandOf('Drift', [candidate], replacements)], refusals };
    }
    refusals.push({ nodes: [name], why: failure });
  }
  return { commands: [], refusals };
}

/**
 * Replaces drifted nodes of static pools one for one, with nothing simulated: as many at once as budgets and the limit on nodes leave.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/staticdrift.go
 */
export function staticDrift(scene: Scene): Outcome {
  const drifted = driftedCandidates(scene, true);
  const refusals: Refusal[] = [...drifted.refusals];
  if (drifted.candidates.length === 0) return { commands: [], refusals };
  const remaining = remainingDisruptions(scene.cluster, 'Drifted', scene.now);
  const pools = [...new Set(drifted.candidates.map(({ nodePool }) => nodePool))].sort();
  const commands = pools.flatMap((pool) => {
    const own = byName(drifted.candidates.filter(({ nodePool }) => nodePool === pool));
    const why = staticBlock(pool, scene);
    const budget = why === undefined ? remaining.get(pool) ?? 0 : 0;
    const room = Math.min(budget, headroom(pool, scene));
    refusals.push(...own.slice(room).map(({ node: { name } }, at) =>
      why !== undefined ? { nodes: [name], why } : room + at < budget ? atLimit(name, room) : heldByBudget(name, pool)));
    return own.slice(0, room).map((candidate) => staticReplacement(candidate));
  });
  return { commands, refusals };
}

function driftedCandidates(scene: Scene, ofStaticPools: boolean): { readonly candidates: readonly Candidate[]; readonly refusals: Refusal[] } {
  const statics = new Set(scene.cluster.scheduling.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
  const drifted = scene.cluster.nodes.filter(({ claim, labels }) => claim?.drifted && statics.has(labels[Label.NODE_POOL]) === ofStaticPools);
  const { candidates, blocked } = findCandidates(scene, 'eventual', drifted);
  return { candidates, refusals: blocked.map(({ node, why }) => ({ nodes: [node], why })) };
}

function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const hasPods = ({ reschedulable }: Candidate) => Number(reschedulable.length > 0);
  const since = ({ node: { claim } }: Candidate) => claim!.drifted!.since;
  return [...candidates].sort((left, right) =>
    hasPods(left) - hasPods(right) || since(left) - since(right) || (left.node.name < right.node.name ? -1 : 1));
}

/** While a static pool has more nodes than it wants, it gives up some anyway. */
export function staticBlock(pool: string, { cluster }: Scene): string | undefined {
  const wanted = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.replicas!;
  const active = cluster.nodes.filter(({ labels, claim, deleting }) => labels[Label.NODE_POOL] === pool && claim && !deleting).length;
  return active > wanted ? 'static NodePool has more nodes than its replicas' : undefined;
}

export function headroom(pool: string, { cluster }: Scene): number {
  const limit = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.limits.get('nodes');
  const present = cluster.nodes.filter(({ labels, claim }) => labels[Label.NODE_POOL] === pool && claim).length;
  return limit === undefined ? Infinity : Math.max(0, Number(limit) - present);
}

/** Karpenter takes them as they come. */
function byName(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((left, right) => left.node.name < right.node.name ? -1 : 1);
}

function atLimit(node: string, room: number): Refusal {
  const why = room > 0 ? 'the node limit of the static NodePool leaves room for no more replacements at this time'
    : 'static NodePool is at its node limit and cannot stage a replacement';
  return { nodes: [node], why };
}

function staticReplacement(candidate: Candidate): Command {
  return commandOf('StaticDrift', [candidate], [{ nodePool: candidate.nodePool, ...STATIC_REPLACEMENT }]);
}
