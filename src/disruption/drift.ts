import { Label } from '../model';
import { remainingDisruptions } from './budgets';
import { Candidate, findCandidates, Scene, stillThere } from './candidates';
import { commandOf, Command, Outcome, Refusal, Replacement } from './command';
import { claimPrices, replacementOf } from './consolidation';
import { Deciding, View } from './deciding';
import { Foresight } from './foresight';
import { simulate, Simulation } from './simulation';
import { fitsOnceGone, terminateFirst } from './terminate-first';
import { heldByBudget } from './within-budgets';

/** The cheapest that a claim names. */
const MOST_TYPES = 600;

/**
 * Replaces one drifted node, at any price and by as many nodes as its pods need: one without pods first, then the one that has
 * drifted for longest. Where its pods lack nothing but its own place in a capacity reservation it goes first, if the feature gate for it
 * is open.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/drift.go
 */
export function* drift(view: View): Deciding<Outcome> {
  const { scene } = view;
  const drifted = driftedCandidates(scene, false);
  const refusals: Refusal[] = [...drifted.refusals];
  const remaining = remainingDisruptions(scene.cluster, 'Drifted', scene.now);
  const isAllowed = ({ nodePool }: Candidate) => (remaining.get(nodePool) ?? 0) > 0;
  const candidates = inOrder(drifted.candidates);
  const { catalog } = scene.cluster;
  const foresight = new Foresight(view, candidates.filter(isAllowed), false, !FIRST_STAYED.has(catalog));
  let tried = 0;
  for (const candidate of candidates) {
    const { node: { name }, nodePool } = candidate;
    if (!isAllowed(candidate)) {
      refusals.push(heldByBudget(name, nodePool));
      continue;
    }
    const current = stillThere(candidate, view.scene);
    const isRefused = foresight.refuses(tried++);
    if (!current) continue;
    const found = decide(current, view.scene, isRefused);
    yield;
    if ('method' in found) {
      if (tried === 1) FIRST_STAYED.delete(catalog);
      return { commands: [found], refusals };
    }
    FIRST_STAYED.add(catalog);
    refusals.push(found);
  }
  return { commands: [], refusals };
}

/** Clusters, by what they launch from, of which the first candidate has had to stay when this was last looked at: it says what to ask first, and no more. */
const FIRST_STAYED = new WeakSet<Scene['cluster']['catalog']>();

/** @param isRefused whether it is known that its pods have no other place as long as it is there */
function decide(candidate: Candidate, scene: Scene, isRefused: boolean): Command | Refusal {
  const nodes = [candidate.node.name];
  const simulation = isRefused ? undefined : simulate(scene, [candidate], false);
  const failure = simulation?.failure();
  if (simulation && failure === undefined) return commandOf('Drift', [candidate], replacementsOf(simulation), simulation.destinations);
  if (scene.cluster.settings?.terminateFirstDrift && fitsOnceGone(candidate, scene)) return terminateFirst('Drift', candidate, 'no-reserved-capacity');
  return failure === undefined ? { nodes, get why() { return simulate(scene, [candidate], false).failure()!; } } : { nodes, why: failure };
}

export function replacementsOf({ claims, solved }: Simulation): Replacement[] {
  return claims.map((claim) => replacementOf(claim, claimPrices(claim, solved), claim.instanceTypes.slice(0, MOST_TYPES)));
}

export function driftedCandidates(scene: Scene, ofStaticPools: boolean): { readonly candidates: readonly Candidate[]; readonly refusals: Refusal[] } {
  const statics = new Set(scene.cluster.scheduling.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
  if (ofStaticPools && statics.size === 0) return { candidates: [], refusals: [] };
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
