import { Label } from '../../model';
import { remainingDisruptions } from '../budgets/disruption-budgets';
import { CandidateQueue } from '../candidates/candidate-queue';
import { currentCandidate } from '../candidates/candidates';
import { ClusterNode } from '../cluster';
import { ClusterView, DisruptionContext, PassGenerator } from '../context';
import { ClusterState } from '../session';
import { simulateScheduling } from '../simulation/simulate-scheduling';
import { UnreadyNodeFilter } from '../simulation/unready-node-filter';
import { Candidate, Command, commandOf, LazyRefusal, MethodOutcome, Refusal } from '../types';
import { replacementsFromNodeClaims } from './consolidation';
import { fitsInFreedReservation, terminateFirst } from './terminate-first';

/**
 * Replaces one drifted node, at any price and by as many nodes as its pods need. Nodes without pods come first, then
 * the node that has drifted for longest. With the feature gate TerminateFirstDrift, a node is terminated first if its
 * pods lack only the place in a capacity reservation that the node itself holds.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/drift.go
 */
export function* drift(view: ClusterView): PassGenerator<MethodOutcome> {
  const { context } = view;
  const { session } = context;
  const remaining = remainingDisruptions(context, 'Drifted');
  const queue = new CandidateQueue(context, driftedNodes(context), (pool) => (remaining.get(pool) ?? 0) > 0);
  const filter = new UnreadyNodeFilter(view, queue, !session.hasRefusedDrift);
  for (let index = 0, candidate = queue.at(index); candidate !== undefined; candidate = queue.at(++index)) {
    const current = currentCandidate(candidate, view.context);
    const isRejected = filter.isRejected(index);
    if (!current) continue;
    const decision = computeCommand(current, view.context, isRejected);
    yield;
    if ('method' in decision) {
      if (index === 0) session.hasRefusedDrift = false;
      const last = candidate;
      return {
        commands: [decision],
        get refusals() {
          return queue.refusals(last);
        },
      };
    }
    session.hasRefusedDrift = true;
    queue.refuse(candidate, decision);
  }
  return { commands: [], refusals: queue.refusals() };
}

/** @param isRejected whether the simulation is known to fail */
function computeCommand(candidate: Candidate, context: DisruptionContext, isRejected: boolean): Command | Refusal {
  const nodes = [candidate.node.name];
  const simulation = isRejected ? undefined : simulateScheduling(context, [candidate]);
  const failure = simulation?.failure();
  if (simulation && failure === undefined) {
    return commandOf('Drift', [candidate], replacementsFromNodeClaims(simulation), simulation.destinations);
  }
  if (context.cluster.settings?.terminateFirstDrift && fitsInFreedReservation(candidate, context)) {
    return terminateFirst('Drift', candidate, 'no-reserved-capacity');
  }
  return failure === undefined
    ? new LazyRefusal(nodes, () => simulateScheduling(context, [candidate]).failure()!)
    : { nodes, why: failure };
}

/** Drifted nodes of NodePools that are not static, in the order in which they are tried. */
function driftedNodes({ session, cluster: { nodes, scheduling } }: ClusterState): readonly ClusterNode[] {
  const staticPools = staticPoolNames(scheduling);
  const drifted = session.driftOrder.of(nodes);
  return staticPools.size === 0 ? drifted : drifted.filter(({ labels }) => !staticPools.has(labels[Label.NODE_POOL]));
}

export function staticPoolNames({ nodePools }: ClusterState['cluster']['scheduling']): ReadonlySet<string> {
  return new Set(nodePools.filter(({ replicas }) => replicas !== undefined).map(({ name }) => name));
}
