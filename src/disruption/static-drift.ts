import { remainingDisruptions } from './budgets';
import { Candidate, Scene } from './candidates';
import { Command, commandOf, Outcome } from './command';
import { driftedStatics } from './drift';
import { fullReservationsOf, isInOneOf, terminateFirst } from './terminate-first';
import { heldByBudget } from './within-budgets';
import { Label } from '../model';

/** A static pool leaves the choice to EC2. */
export const STATIC_REPLACEMENT = { instanceTypes: [], zones: [], capacityTypes: [] } as const;
export const AT_NODE_LIMIT = 'static NodePool is at its node limit and cannot stage a replacement';
export const RESERVATIONS_FULL = "static NodePool's capacity reservations are full and cannot stage a replacement";

/**
 * Replaces drifted nodes of static pools one for one, with nothing simulated: as many at once as budgets and the limit on nodes leave.
 * Where the limit leaves none, or their capacity reservations do, they go first, if the feature gate for it is open.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/staticdrift.go
 */
export function staticDrift(scene: Scene): Outcome {
  const { candidates, refusals } = driftedStatics(scene);
  if (candidates.length === 0) return { commands: [], refusals };
  const remaining = remainingDisruptions(scene.cluster, 'Drifted', scene.now);
  const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))].sort();
  const outcomes = pools.map((pool) => ofPool(pool, byName(candidates.filter(({ nodePool }) => nodePool === pool)), remaining.get(pool) ?? 0, scene));
  return { commands: outcomes.flatMap(({ commands }) => commands), refusals: [...refusals, ...outcomes.flatMap((outcome) => outcome.refusals)] };
}

function ofPool(pool: string, own: readonly Candidate[], budget: number, scene: Scene): Outcome {
  const why = staticBlock(pool, scene);
  if (why !== undefined) return { commands: [], refusals: own.map(({ node: { name } }) => ({ nodes: [name], why })) };
  const goFirst = scene.cluster.settings?.terminateFirstDrift === true;
  const full = goFirst ? fullReservationsOf(pool, scene) : undefined;
  if (full) {
    const holders = own.filter((candidate) => isInOneOf(full, candidate));
    return eachOf([...holders, ...own.filter((candidate) => !holders.includes(candidate))], budget, (candidate, at) =>
      at < holders.length ? terminateFirst('StaticDrift', candidate, 'no-reserved-capacity') : RESERVATIONS_FULL);
  }
  const room = headroom(pool, scene);
  if (room === 0) return eachOf(own, budget, (candidate) => goFirst ? terminateFirst('StaticDrift', candidate, 'static-at-limit') : AT_NODE_LIMIT);
  return eachOf(own, budget, (candidate, at) => at < room ? staticReplacement('StaticDrift', candidate) : NO_MORE_ROOM);
}

const NO_MORE_ROOM = 'the node limit of the static NodePool leaves room for no more replacements at this time';

/** As many as the budget lets go, the others aside. */
function eachOf(candidates: readonly Candidate[], budget: number, decide: (candidate: Candidate, at: number) => Command | string): Outcome {
  const decided = candidates.slice(0, budget).map((candidate, at) => ({ candidate, found: decide(candidate, at) }));
  return {
    commands: decided.flatMap(({ found }) => typeof found === 'string' ? [] : [found]),
    refusals: [
      ...decided.flatMap(({ candidate: { node }, found }) => typeof found === 'string' ? [{ nodes: [node.name], why: found }] : []),
      ...candidates.slice(budget).map(({ node, nodePool }) => heldByBudget(node.name, nodePool)),
    ],
  };
}

/** While a static pool has more nodes than it wants, it gives up some anyway. */
export function staticBlock(pool: string, { cluster }: Scene): string | undefined {
  const wanted = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.replicas!;
  const active = cluster.nodes.filter(({ labels, claim, deleting }) => labels[Label.NODE_POOL] === pool && claim && !deleting).length;
  return active > wanted ? 'static NodePool has more nodes than its replicas' : undefined;
}

/** How many nodes more its limit on nodes leaves a pool. */
export function headroom(pool: string, { cluster }: Scene): number {
  const limit = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.limits.get('nodes');
  const present = cluster.nodes.filter(({ labels, claim }) => labels[Label.NODE_POOL] === pool && claim).length;
  return limit === undefined ? Infinity : Math.max(0, Number(limit) - present);
}

/** Karpenter takes them as they come. */
function byName(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((left, right) => left.node.name < right.node.name ? -1 : 1);
}

export function staticReplacement(method: Command['method'], candidate: Candidate): Command {
  return commandOf(method, [candidate], [{ nodePool: candidate.nodePool, ...STATIC_REPLACEMENT }]);
}
