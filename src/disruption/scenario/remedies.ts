import { DisruptionMethod } from '../command';

export const NOTHING_LEFT = 'of what its NodePool may launch EC2 has nothing left';

const LET_ONE_GO = 'let one pod go at a time (maxUnavailable: 1, and two replicas at least), or set terminationGracePeriod in the NodePool';

/** What helps where a node that drains waits for a pod. */
export function drainRemedy(why: string): string {
  if (why.includes('PodDisruptionBudgets')) return 'leave each pod one PodDisruptionBudget, or set terminationGracePeriod in the NodePool';
  return why.includes('PodDisruptionBudget') ? LET_ONE_GO : 'set terminationGracePeriod in the NodePool, or give the annotation a duration in place of true';
}

/** What helps where a node is left for this reason. */
export function remedyFor(why: string, method: DisruptionMethod): string {
  if (why.includes('do-not-repair')) return 'take the annotation away once the node has been looked at';
  if (why.startsWith('the disruption budgets')) return 'allow one node at least at some hour: write a budget for the reason Drifted';
  if (why.includes('pdb prevents')) return LET_ONE_GO;
  if (why.includes('do-not-disrupt')) return 'set terminationGracePeriod in the NodePool, or give the annotation a duration in place of true';
  if (/isn't initialized|associated node/.test(why)) return 'see what keeps the node from coming up: the conditions of its NodeClaim tell, and kubectl describe node';
  if (why.includes('multiple PDBs')) return 'leave each pod one PodDisruptionBudget';
  if (why === NOTHING_LEFT || /cannot stage a replacement$|reserved offering is full/.test(why)) {
    return `open the gate, with which the node goes before there is another: settings.featureGates.terminateFirst${method === 'Repair' ? 'Repair' : 'Drift'}: true`;
  }
  return 'make room for its pods: see what the NodePools refuse';
}
