import { Label } from '../model';
import { remainingDisruptions } from './budgets';
import { Candidate, findCandidates, Scene, stillThere } from './candidates';
import { ClusterNode } from './cluster';
import { commandOf, Command, LazyRefusal, Outcome, Refusal, Replacement } from './command';
import { claimPrices, replacementOf } from './consolidation';
import { Deciding, View } from './deciding';
import { inDriftOrder } from './drift-order';
import { Foresight } from './foresight';
import { simulate, Simulation } from './simulation';
import { fitsOnceGone, terminateFirst } from './terminate-first';
import { Turns } from './turns';

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
  const { catalog } = scene.cluster;
  const remaining = remainingDisruptions(scene.cluster, 'Drifted', scene.now);
  const turns = new Turns(scene, driftedNodes(scene), (pool) => (remaining.get(pool) ?? 0) > 0);
  const foresight = new Foresight(view, turns, false, !FIRST_STAYED.has(catalog));
  for (let turn = 0, candidate = turns.at(turn); candidate !== undefined; candidate = turns.at(++turn)) {
    const current = stillThere(candidate, view.scene);
    const isRefused = foresight.refuses(turn);
    if (!current) continue;
    const found = decide(current, view.scene, isRefused);
    yield;
    if ('method' in found) {
      if (turn === 0) FIRST_STAYED.delete(catalog);
      const last = candidate;
      return { commands: [found], get refusals() { return turns.refusals(last); } };
    }
    FIRST_STAYED.add(catalog);
    turns.refuse(candidate, found);
  }
  return { commands: [], refusals: turns.refusals() };
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
  return failure === undefined ? new LazyRefusal(nodes, () => simulate(scene, [candidate], false).failure()!) : { nodes, why: failure };
}

export function replacementsOf({ claims, solved }: Simulation): Replacement[] {
  return claims.map((claim) => replacementOf(claim, claimPrices(claim, solved), claim.instanceTypes.slice(0, MOST_TYPES)));
}

/** Of static pools, those that may go, and what keeps the others. */
export function driftedStatics(scene: Scene): { readonly candidates: readonly Candidate[]; readonly refusals: Refusal[] } {
  const statics = staticPools(scene);
  const drifted = statics.size === 0 ? [] : scene.cluster.nodes.filter(({ claim, labels }) => claim?.drifted && statics.has(labels[Label.NODE_POOL]));
  const { candidates, blocked } = findCandidates(scene, 'eventual', drifted);
  return { candidates, refusals: blocked.map(({ node, why }) => ({ nodes: [node], why })) };
}

/** Those of other pools, in the order in which they are tried. */
function driftedNodes(scene: Scene): readonly ClusterNode[] {
  const statics = staticPools(scene);
  const drifted = inDriftOrder(scene.cluster);
  return statics.size === 0 ? drifted : drifted.filter(({ labels }) => !statics.has(labels[Label.NODE_POOL]));
}

function staticPools({ cluster: { scheduling } }: Scene): ReadonlySet<string> {
  return new Set(scheduling.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
}
