import { placementsOf } from './placements';
import { targetsOtherNodes } from './pod-constraints';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { RuleContext } from '../rule';

/** How many nodes the pods of a workload have or get, and how many of these may be spot. */
export interface SpotShare {
  readonly nodes: number;
  readonly spot: number;
  /** The most of its pods that are on one of the spot nodes. */
  readonly fullest: number;
  /** Whether all of the pods are there already, so that it is known what the nodes are. */
  readonly known: boolean;
}

/** Undefined where no node is known that its pods have or get. */
export function spotShareOf(context: RuleContext, workload: WorkloadManifest): SpotShare | undefined {
  const placements = placementsOf(context, workload);
  const spot = placements.filter(({ capacityTypes }) => capacityTypes.includes('spot'));
  if (placements.length === 0) return undefined;
  const known = placements.every(({ pods, running }) => pods === running);
  return { nodes: placements.length, spot: spot.length, fullest: Math.max(0, ...spot.map(({ pods }) => pods)), known };
}

/** Workloads whose pods need nodes of Karpenter, one by one. */
export const placedWorkloads = oncePer(({ model: { workloads } }: RuleContext): readonly WorkloadManifest[] =>
  workloads.filter((workload) => workload.kind !== 'DaemonSet' && workload.replicas > 0 && !targetsOtherNodes(workload)));

/** `2 of the 3 nodes that the plan has for its pods may be spot`, or `that its pods are on are spot`. */
export function spotShareText({ nodes, spot, known }: SpotShare): string {
  if (known) return nodes === 1 ? 'the node that its pods are on is spot' : `${spot} of the ${nodes} nodes that its pods are on ${spot === 1 ? 'is' : 'are'} spot`;
  return nodes === 1 ? 'the node that the plan has for its pods may be spot' : `${spot} of the ${nodes} nodes that the plan has for its pods may be spot`;
}
