import { BalancedScoring } from './balanced';
import { remainingDisruptions } from './budgets';
import { bySavings, Candidate, findCandidates, stillThere } from './candidates';
import { Outcome, Refusal } from './command';
import { consolidate, unconsolidatable } from './consolidation';
import { Deciding, View } from './deciding';
import { heldByBudget } from './within-budgets';

/** Milliseconds after which it gives up, whatever nodes it has not come to. */
const TIMEOUT = 180_000;

/**
 * Removes the first node that it can, for a cheaper one or none. NodePools take turns, so that a large one holds up no other.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/singlenodeconsolidation.go
 */
export function* singleNodeConsolidation(view: View): Deciding<Outcome> {
  const { scene, now: begun } = view;
  const refusals: Refusal[] = [];
  const { candidates } = findCandidates(scene, 'graceful');
  const eligible = candidates.filter((candidate) => {
    const why = unconsolidatable(candidate, scene);
    if (why !== undefined) refusals.push({ nodes: [candidate.node.name], why });
    return why === undefined;
  });
  const scoring = new BalancedScoring(scene, candidates);
  const remaining = remainingDisruptions(scene.cluster, 'Underutilized', scene.now);
  for (const candidate of inTurns(bySavings(eligible))) {
    if (view.now > begun + TIMEOUT) return { commands: [], refusals };
    const { node: { name }, nodePool } = candidate;
    if ((remaining.get(nodePool) ?? 0) === 0) {
      refusals.push(heldByBudget(name, nodePool));
      continue;
    }
    const current = stillThere(candidate, view.scene);
    if (!current) continue;
    if (!scoring.mayPass(candidate)) {
      refusals.push({ nodes: [name], why: TOO_LITTLE });
      continue;
    }
    const { command, why } = consolidate('SingleNodeConsolidation', [current], view.scene);
    yield;
    if (command && scoring.approves(command)) return { commands: [command], refusals };
    refusals.push({ nodes: [name], why: why ?? TOO_LITTLE });
  }
  return { commands: [], refusals, isConsolidated: eligible.length > 0 && refusals.every(({ heldIn }) => heldIn === undefined) };
}

const TOO_LITTLE = 'it would save too little for what it disrupts, by the policy Balanced';

/** The first of each pool, then the second of each; pools by name, where Karpenter takes them as they come. */
function inTurns(candidates: readonly Candidate[]): Candidate[] {
  const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))].sort();
  const queues = pools.map((pool) => candidates.filter(({ nodePool }) => nodePool === pool));
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue[at] ?? [])).flat();
}
