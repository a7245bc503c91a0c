import { shortListText } from '../../../model';
import { PdbLimits } from '../../budgets/pdb-limits';
import { ClusterNode, Instant } from '../../cluster';
import { podKey } from '../../pods';
import { DisruptionMethod } from '../../types';
import { SimulatedCluster } from '../cluster/simulated-cluster';

export const NOTHING_LEFT = 'EC2 has no capacity for any instance type that its NodePool allows';

/** What helps if a draining node waits for a pod. */
export function drainRemedy(why: string, node: ClusterNode): string {
  if (why.includes('PodDisruptionBudgets'))
    return `keep only one PodDisruptionBudget for each pod, or ${drainEnd(node, DELETE_POD)}`;
  return why.includes('PodDisruptionBudget') ? allowEviction(node, DELETE_POD) : limitProtection(node, DELETE_POD);
}

/** What helps if a method refuses a node. */
export function refusalRemedy(why: string, method: DisruptionMethod, node: ClusterNode): string {
  if (why.includes('do-not-repair')) return 'remove the annotation after you have examined the node';
  if (why.startsWith('disruption is blocked'))
    return isExisting(node)
      ? 'remove the annotation from the node'
      : 'remove the annotation from spec.template.metadata of the NodePool';
  if (why.includes('pdb prevents')) return allowEviction(node, CORDON_AND_DELETE_POD);
  if (why.includes('do-not-disrupt')) return limitProtection(node, CORDON_AND_DELETE_POD);
  if (/isn't initialized|associated node/.test(why))
    return 'find out why the node is not initialized: see the conditions of its NodeClaim, and kubectl describe node';
  if (why.startsWith('NodePool not found'))
    return 'add the NodePool and its node class to the input: Karpenter does not disrupt nodes without them';
  if (why.includes('multiple PDBs')) return 'keep only one PodDisruptionBudget for each pod';
  if (/cannot stage a replacement$|reserved offering is full/.test(why)) return openTerminateFirstGate(method);
  if (/ of nodes in nodepool ".*" are unhealthy$/.test(why))
    return 'find out what the nodes have in common; to replace a node anyway, delete its NodeClaim';
  return 'let a NodePool launch nodes for its pods: see why the NodePools refuse them';
}

/** With this feature gate, a node is terminated before its replacement is launched. */
export function openTerminateFirstGate(method: DisruptionMethod): string {
  return `set settings.featureGates.terminateFirst${method === 'Repair' ? 'Repair' : 'Drift'}: true, which terminates the node before its replacement is launched`;
}

export function lowerMinValues(nodePool: string): string {
  return `lower the minValues of NodePool "${nodePool}": a request to EC2 names at most its 60 cheapest instance types, and for reserved capacity only those with a reservation`;
}

/** For something that happens after the horizon. */
export function extendHorizon(instant: Instant, what: string): string {
  return `use a longer horizon: on ${new Date(Math.round(instant / 1_000) * 1_000).toISOString()} ${what}`;
}

/** Finds the PDB in Karpenter's words, and in those of `evictionObstacle`. */
const SINGLE_PDB = /PodDisruptionBudget(?: |=\[)([^\s\]]+)[ \]]/;

/**
 * What helps if a PDB blocks an eviction because it has too few healthy pods: pending pods need nodes. Another cause is
 * that Kubernetes cannot compute the demand of the PDB.
 *
 * @param why why a pod cannot be evicted
 */
export function unhealthyPdbRemedy(why: string, cluster: SimulatedCluster): string | undefined {
  const [, key] = SINGLE_PDB.exec(why) ?? [];
  const limits = new PdbLimits(cluster.snapshot(), cluster.session.pdbs);
  const pdb = limits.all.find((limit) => limit.key === key);
  if (!pdb) return undefined;
  if (pdb.isScaleUnknown)
    return 'set minAvailable to a number: for pods whose controller has no scale, such as those of a Job, Kubernetes computes nothing else';
  const [first, ...others] = cluster.podLifecycle.podsWithoutNode
    .filter((pod) => limits.limitsOf(pod).includes(pdb))
    .map(podKey);
  const withoutNode = first === undefined ? 0 : others.length + 1;
  if (
    first === undefined &&
    pdb.expectedReplicas > Math.max(pdb.pods, pdb.desiredHealthy) &&
    pdb.currentHealthy <= pdb.desiredHealthy
  ) {
    return `get all ${pdb.expectedReplicas} pods of the workload scheduled: with ${pdb.currentHealthy} healthy pods, the PodDisruptionBudget allows no eviction`;
  }
  if (first === undefined || pdb.pods + withoutNode <= pdb.desiredHealthy) return undefined;
  const pods = `pod ${shortListText([first, ...others], 1)}`;
  return `get ${pods} scheduled: until ${others.length === 0 ? 'it is' : 'they are'} ready, the PodDisruptionBudget allows no eviction`;
}

const DELETE_POD = 'delete the pod';
/** If the node is not draining, the next pod may be bound to it again. */
const CORDON_AND_DELETE_POD = 'cordon the node and delete the pod';

function allowEviction(node: ClusterNode, manualStep: string): string {
  return `allow one eviction at a time (maxUnavailable: 1, and at least two replicas), or ${drainEnd(node, manualStep)}`;
}

function limitProtection(node: ClusterNode, manualStep: string): string {
  return `${drainEnd(node, manualStep)}, or set the annotation to a duration instead of true`;
}

/** An existing NodeClaim keeps the settings that it was launched with. */
function drainEnd(node: ClusterNode, manualStep: string): string {
  return isExisting(node)
    ? `${manualStep} (terminationGracePeriod in the NodePool applies only to new nodes)`
    : 'set terminationGracePeriod in the NodePool';
}

/** Whether the node exists in the real cluster, and was not planned from manifests. */
function isExisting({ claim }: ClusterNode): boolean {
  return claim?.name !== undefined;
}
