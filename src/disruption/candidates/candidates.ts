import { DO_NOT_DISRUPT } from '../../contract';
import { Label } from '../../model';
import { blockingPdbs } from '../budgets/pdb-limits';
import { ClusterNode } from '../cluster';
import { hasProtection, isDisruptable, podKey } from '../pods';
import { ClusterState } from '../session';
import { BlockedNode, Candidate, CandidateSearch, DisruptionClass } from '../types';

/**
 * Splits nodes into candidates for disruption and blocked nodes.
 *
 * @param nodes the nodes to check; all nodes of the cluster by default
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/types.go
 */
export function findCandidates(
  state: ClusterState,
  disruptionClass: DisruptionClass,
  nodes = state.cluster.nodes,
): CandidateSearch {
  const candidates: Candidate[] = [];
  const blocked: BlockedNode[] = [];
  for (const node of nodes) {
    const why = nodeBlock(node, state, disruptionClass) ?? podBlock(node, state, disruptionClass);
    if (why === undefined) candidates.push(candidateOf(node, state));
    else blocked.push({ node: node.name, why });
  }
  return { candidates, blocked };
}

/** The candidate in a later state of the cluster; undefined if its node is deleting or gone. */
export function currentCandidate({ node: earlier }: Candidate, state: ClusterState): Candidate | undefined {
  const { nodes } = state.cluster;
  // Most nodes are the same objects as before, and finding an object is faster than finding a name.
  const node = nodes.includes(earlier) ? earlier : nodes.find(({ name }) => name === earlier.name);
  return node === undefined || node.deleting ? undefined : candidateOf(node, state);
}

function candidateOf(node: ClusterNode, { session, tables, prices }: ClusterState): Candidate {
  return session.candidates.of(node, tables, prices);
}

function nodeBlock(
  node: ClusterNode,
  { cluster, now, tables }: ClusterState,
  disruptionClass: DisruptionClass,
): string | undefined {
  const isRepair = disruptionClass === 'repair';
  if (!node.claim) return "node isn't managed by karpenter";
  if (node.claimOnly) return 'nodeclaim does not have an associated node';
  if (node.deleting || node.claim.instanceTerminating) return 'node is deleting or marked for deletion';
  if (!node.initialized && !(isRepair && node.registered !== false))
    return `node isn't initialized${node.registered === false ? ' nor registered' : ''}`;
  if (node.initialized && node.nominatedUntil !== undefined && node.nominatedUntil > now)
    return 'node is nominated for a pending pod';
  if (!isRepair && node.annotations?.[DO_NOT_DISRUPT] === 'true')
    return `disruption is blocked through the "${DO_NOT_DISRUPT}" annotation`;
  const pool = node.labels[Label.NODE_POOL];
  if (pool === undefined) return `node doesn't have required label (label=${Label.NODE_POOL})`;
  return cluster.pools.has(pool) && tables.has(pool) ? undefined : `NodePool not found (NodePool=${pool})`;
}

function podBlock(
  node: ClusterNode,
  { now, limits }: ClusterState,
  disruptionClass: DisruptionClass,
): string | undefined {
  if (disruptionClass === 'repair') return undefined;
  if (disruptionClass === 'eventual' && node.claim?.terminationGracePeriod !== undefined) return undefined;
  if (!hasProtection(node.pods) && limits.allowAll(node.pods)) return undefined;
  const protectedPod = node.pods.find((pod) => !isDisruptable(pod, now));
  if (protectedPod) return `pod has "${DO_NOT_DISRUPT}" annotation (Pod=${podKey(protectedPod)})`;
  for (const pod of node.pods) {
    const keys = blockingPdbs(limits, pod, now);
    if (keys.length > 1) return `eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${keys.join(' ')}])`;
    if (keys.length === 1) return `pdb prevents pod evictions (PodDisruptionBudget=[${keys[0]}])`;
  }
  return undefined;
}

/**
 * Whether moving the pods of the candidate costs nothing. It may still have pods, if their priority or deletion cost is
 * very low.
 */
export function isEmpty({ rescheduleCost }: Pick<Candidate, 'rescheduleCost'>): boolean {
  return rescheduleCost <= 1;
}

/** Sorts by the price saved per cost of moving pods, highest first; equal candidates by name. */
export function sortBySavingsRatio(candidates: readonly Candidate[]): Candidate[] {
  const ratio = ({ price, rescheduleCost }: Candidate) => price / rescheduleCost;
  return [...candidates].sort(
    (left, right) => ratio(right) - ratio(left) || (left.node.name < right.node.name ? -1 : 1),
  );
}
