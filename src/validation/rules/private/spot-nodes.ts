import { placementsOf } from './placements';
import { targetsOtherNodes } from './pod-constraints';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { RuleContext } from '../rule';

/** How many nodes the plan gives to the pods of a workload, and how many of these may be spot. */
export interface SpotShare {
  readonly nodes: number;
  readonly spot: number;
  /** The most of its pods that are on one of the spot nodes. */
  readonly fullest: number;
}

/** Undefined where the plan has no node for its pods. */
export function spotShareOf(context: RuleContext, workload: WorkloadManifest): SpotShare | undefined {
  const placements = placementsOf(context, workload);
  const spot = placements.filter(({ capacityTypes }) => capacityTypes.includes('spot'));
  return placements.length === 0 ? undefined : { nodes: placements.length, spot: spot.length, fullest: Math.max(0, ...spot.map(({ pods }) => pods)) };
}

/** Workloads whose pods need nodes of Karpenter, one by one. */
export const placedWorkloads = oncePer(({ model: { workloads } }: RuleContext): readonly WorkloadManifest[] =>
  workloads.filter((workload) => workload.kind !== 'DaemonSet' && workload.replicas > 0 && !targetsOtherNodes(workload)));

/** `2 of the 3 nodes that the plan has for its pods may be spot`. */
export function spotShareText({ nodes, spot }: SpotShare): string {
  return nodes === 1 ? 'the node that the plan has for its pods may be spot' : `${spot} of the ${nodes} nodes that the plan has for its pods may be spot`;
}
