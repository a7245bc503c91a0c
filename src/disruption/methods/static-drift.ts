import { Label } from '../../model';
import { budgetRefusal, remainingDisruptions } from '../budgets/disruption-budgets';
import { findCandidates } from '../candidates/candidates';
import { ClusterState } from '../session';
import { Candidate, Command, commandOf, MethodOutcome } from '../types';
import { staticPoolNames } from './drift';
import { fullStaticReservations, holdsReservation, terminateFirst } from './terminate-first';

/** A static pool leaves the choice to EC2. */
const STATIC_REPLACEMENT = { instanceTypes: [], zones: [], capacityTypes: [] } as const;
export const AT_NODE_LIMIT = 'static NodePool is at its node limit and cannot stage a replacement';
export const RESERVATIONS_FULL = "static NodePool's capacity reservations are full and cannot stage a replacement";
const NO_HEADROOM_LEFT = 'the node limit of the static NodePool allows no more replacements at this time';

/**
 * Replaces drifted nodes of static pools one for one and without a simulation, as many at once as budgets and the node
 * limit allow. With the feature gate TerminateFirstDrift, nodes are terminated first if the node limit or full capacity
 * reservations prevent a replacement.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/staticdrift.go
 */
export function staticDrift(state: ClusterState): MethodOutcome {
  const staticPools = staticPoolNames(state.cluster.scheduling);
  if (staticPools.size === 0) return { commands: [], refusals: [] };
  const drifted = state.cluster.nodes.filter(
    ({ claim, labels }) => claim?.drifted && staticPools.has(labels[Label.NODE_POOL]),
  );
  const { candidates, blocked } = findCandidates(state, 'eventual', drifted);
  const refusals = blocked.map(({ node, why }) => ({ nodes: [node], why }));
  if (candidates.length === 0) return { commands: [], refusals };
  const remaining = remainingDisruptions(state, 'Drifted');
  const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))].sort();
  const outcomes = pools.map((pool) =>
    poolOutcome(
      pool,
      sortByName(candidates.filter(({ nodePool }) => nodePool === pool)),
      remaining.get(pool) ?? 0,
      state,
    ),
  );
  return {
    commands: outcomes.flatMap(({ commands }) => commands),
    refusals: [...refusals, ...outcomes.flatMap((outcome) => outcome.refusals)],
  };
}

function poolOutcome(
  pool: string,
  candidates: readonly Candidate[],
  budget: number,
  state: ClusterState,
): MethodOutcome {
  const why = scaleDownBlock(pool, state);
  if (why !== undefined)
    return { commands: [], refusals: candidates.map(({ node: { name } }) => ({ nodes: [name], why })) };
  const mayTerminateFirst = state.cluster.settings?.terminateFirstDrift === true;
  const fullReservations = mayTerminateFirst ? fullStaticReservations(pool, state) : undefined;
  if (fullReservations) {
    const holders = candidates.filter((candidate) => holdsReservation(candidate, fullReservations));
    const holdersFirst = [...holders, ...candidates.filter((candidate) => !holders.includes(candidate))];
    return decideWithinBudget(holdersFirst, budget, (candidate, index) =>
      index < holders.length ? terminateFirst('StaticDrift', candidate, 'no-reserved-capacity') : RESERVATIONS_FULL,
    );
  }
  const headroom = nodeLimitHeadroom(pool, state);
  if (headroom === 0) {
    return decideWithinBudget(candidates, budget, (candidate) =>
      mayTerminateFirst ? terminateFirst('StaticDrift', candidate, 'static-at-limit') : AT_NODE_LIMIT,
    );
  }
  return decideWithinBudget(candidates, budget, (candidate, index) =>
    index < headroom ? staticReplacement('StaticDrift', candidate) : NO_HEADROOM_LEFT,
  );
}

/** @param decide returns a command, or the reason why there is none */
function decideWithinBudget(
  candidates: readonly Candidate[],
  budget: number,
  decide: (candidate: Candidate, index: number) => Command | string,
): MethodOutcome {
  const decisions = candidates
    .slice(0, budget)
    .map((candidate, index) => ({ candidate, decision: decide(candidate, index) }));
  return {
    commands: decisions.flatMap(({ decision }) => (typeof decision === 'string' ? [] : [decision])),
    refusals: [
      ...decisions.flatMap(({ candidate: { node }, decision }) =>
        typeof decision === 'string' ? [{ nodes: [node.name], why: decision }] : [],
      ),
      ...candidates.slice(budget).map(({ node, nodePool }) => budgetRefusal(node.name, nodePool)),
    ],
  };
}

/** A static pool with more nodes than its replicas deletes some anyway, so none is replaced. */
export function scaleDownBlock(pool: string, { cluster }: ClusterState): string | undefined {
  const replicas = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.replicas!;
  const active = cluster.nodes.filter(
    ({ labels, claim, deleting }) => labels[Label.NODE_POOL] === pool && claim && !deleting,
  ).length;
  return active > replicas ? 'static NodePool has more nodes than its replicas' : undefined;
}

/** How many nodes the pool may have beyond those it has. */
export function nodeLimitHeadroom(pool: string, { cluster }: ClusterState): number {
  const limit = cluster.scheduling.nodePools.find(({ name }) => name === pool)!.limits.get('nodes');
  const nodes = cluster.nodes.filter(({ labels, claim }) => labels[Label.NODE_POOL] === pool && claim).length;
  return limit === undefined ? Infinity : Math.max(0, Number(limit) - nodes);
}

/** Karpenter has no order here, since it iterates over a Go map. */
function sortByName(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((left, right) => (left.node.name < right.node.name ? -1 : 1));
}

export function staticReplacement(method: Command['method'], candidate: Candidate): Command {
  return commandOf(method, [candidate], [{ nodePool: candidate.nodePool, ...STATIC_REPLACEMENT }]);
}
