import { Label } from '../model';
import { remainingDisruptions } from './budgets';
import { Candidate, findCandidates, Scene, stillThere } from './candidates';
import { ClusterNode } from './cluster';
import { commandOf, Command, Outcome, Refusal, Replacement } from './command';
import { claimPrices, replacementOf } from './consolidation';
import { Deciding, View } from './deciding';
import { Foresight } from './foresight';
import { reschedulable } from './pod-eviction';
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
  const turns = new Turns(scene, inOrder(driftedNodes(scene, false)), (pool) => (remaining.get(pool) ?? 0) > 0);
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
  return failure === undefined ? { nodes, get why() { return simulate(scene, [candidate], false).failure()!; } } : { nodes, why: failure };
}

export function replacementsOf({ claims, solved }: Simulation): Replacement[] {
  return claims.map((claim) => replacementOf(claim, claimPrices(claim, solved), claim.instanceTypes.slice(0, MOST_TYPES)));
}

/** Of static pools, those that may go, and what keeps the others. */
export function driftedStatics(scene: Scene): { readonly candidates: readonly Candidate[]; readonly refusals: Refusal[] } {
  const { candidates, blocked } = findCandidates(scene, 'eventual', driftedNodes(scene, true));
  return { candidates, refusals: blocked.map(({ node, why }) => ({ nodes: [node], why })) };
}

function driftedNodes({ cluster: { nodes, scheduling } }: Scene, ofStaticPools: boolean): ClusterNode[] {
  const statics = new Set(scheduling.nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
  if (statics.size === 0) return ofStaticPools ? [] : nodes.filter(({ claim }) => claim?.drifted);
  return nodes.filter(({ claim, labels }) => claim?.drifted && statics.has(labels[Label.NODE_POOL]) === ofStaticPools);
}

/** One without pods first, then the one that has drifted for longest. */
function inOrder(nodes: readonly ClusterNode[]): ClusterNode[] {
  const [empty, others]: [ClusterNode[], ClusterNode[]] = [[], []];
  for (const node of nodes) (reschedulable(node.pods).length > 0 ? others : empty).push(node);
  return [...byAge(empty), ...byAge(others)];
}

/** Most often they stand in this order already. */
function byAge(nodes: ClusterNode[]): ClusterNode[] {
  for (let at = 1; at < nodes.length; at++) {
    if (!comesBefore(nodes[at - 1], nodes[at])) return nodes.sort((left, right) => comesBefore(left, right) ? -1 : 1);
  }
  return nodes;
}

function comesBefore(node: ClusterNode, other: ClusterNode): boolean {
  const [since, otherSince] = [node.claim!.drifted!.since, other.claim!.drifted!.since];
  return since === otherSince ? node.name < other.name : since < otherSince;
}
