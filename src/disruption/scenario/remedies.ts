import { ClusterNode, Instant } from '../cluster';
import { DisruptionMethod } from '../command';

export const NOTHING_LEFT = 'of what its NodePool may launch EC2 has nothing left';

/** What helps where a node that drains waits for a pod. */
export function drainRemedy(why: string, node: ClusterNode): string {
  if (why.includes('PodDisruptionBudgets')) return `leave each pod one PodDisruptionBudget, or ${endOfDrains(node, DELETION)}`;
  return why.includes('PodDisruptionBudget') ? letOneGo(node, DELETION) : lessProtection(node, DELETION);
}

/** What helps where a node is left for this reason. */
export function remedyFor(why: string, method: DisruptionMethod, node: ClusterNode): string {
  if (why.includes('do-not-repair')) return 'take the annotation away once the node has been looked at';
  if (why.startsWith('disruption is blocked')) return isOfCluster(node) ? 'take the annotation off the node' : 'leave the annotation out of spec.template.metadata of the NodePool';
  if (why.includes('pdb prevents')) return letOneGo(node, DELETION_ELSEWHERE);
  if (why.includes('do-not-disrupt')) return lessProtection(node, DELETION_ELSEWHERE);
  if (/isn't initialized|associated node/.test(why)) return 'see what keeps the node from coming up: the conditions of its NodeClaim tell, and kubectl describe node';
  if (why.startsWith('NodePool not found')) return 'add the NodePool to the input, and its class: Karpenter disrupts no node without them';
  if (why.includes('multiple PDBs')) return 'leave each pod one PodDisruptionBudget';
  if (/cannot stage a replacement$|reserved offering is full/.test(why)) return openGate(method);
  return 'make room for its pods: see what the NodePools refuse';
}

/** With it a node goes before there is another. */
export function openGate(method: DisruptionMethod): string {
  return `open the gate, with which the node goes before there is another: settings.featureGates.terminateFirst${method === 'Repair' ? 'Repair' : 'Drift'}: true`;
}

/** One request to EC2 names some types alone. */
export function lessVariety(nodePool: string): string {
  return `lower the minValues of NodePool "${nodePool}": a request to EC2 names its 60 cheapest instance types at most, and of reserved capacity only those with a reservation`;
}

/** Of what will happen, but not before the horizon. */
export function lookFurther(instant: Instant, what: string): string {
  return `look further, with a longer horizon: on ${new Date(Math.round(instant / 1_000) * 1_000).toISOString()} ${what}`;
}

const DELETION = 'delete the pod';
/** As long as a node does not drain, the next pod may come to it again. */
const DELETION_ELSEWHERE = 'cordon the node and delete the pod';

function letOneGo(node: ClusterNode, byHand: string): string {
  return `let one pod go at a time (maxUnavailable: 1, and two replicas at least), or ${endOfDrains(node, byHand)}`;
}

function lessProtection(node: ClusterNode, byHand: string): string {
  return `${endOfDrains(node, byHand)}, or give the annotation a duration in place of true`;
}

/** A NodeClaim keeps what it was launched with. */
function endOfDrains(node: ClusterNode, byHand: string): string {
  return isOfCluster(node) ? `${byHand} (terminationGracePeriod in the NodePool is for new nodes alone)` : 'set terminationGracePeriod in the NodePool';
}

/** Whether it was there before anything was planned. */
function isOfCluster({ claim }: ClusterNode): boolean {
  return claim?.name !== undefined;
}
