import { placementsOf } from './placements';
import { targetsNonKarpenterNodes } from './pod-constraints';
import { memoizeByIdentity } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/**
 * The number of nodes that run a workload's pods, or are planned for them, and how many of these nodes may be spot.
 */
export interface SpotShare {
  readonly nodes: number;
  readonly spot: number;
  /** Most of the workload's pods on one spot node. */
  readonly mostPodsOnSpotNode: number;
  /** Whether all of the pods run already, so that the capacity types of their nodes are known. */
  readonly allRunning: boolean;
}

/** The spot share of the workload; undefined if its pods neither run nor have a planned node. */
export function spotShareOf(context: RuleContext, workload: WorkloadManifest): SpotShare | undefined {
  const placements = placementsOf(context, workload);
  const spot = placements.filter(({ capacityTypes }) => capacityTypes.includes('spot'));
  if (placements.length === 0) return undefined;
  const allRunning = placements.every(({ pods, running }) => pods === running);
  return {
    nodes: placements.length,
    spot: spot.length,
    mostPodsOnSpotNode: Math.max(0, ...spot.map(({ pods }) => pods)),
    allRunning,
  };
}

/** Workloads other than DaemonSets whose pods run on Karpenter nodes. */
export const workloadsOnKarpenterNodes = memoizeByIdentity(
  ({ model: { workloads } }: RuleContext): readonly WorkloadManifest[] =>
    workloads.filter(
      (workload) => workload.kind !== 'DaemonSet' && workload.replicas > 0 && !targetsNonKarpenterNodes(workload),
    ),
);

/**
 * For messages: `2 of the 3 nodes planned for its pods may be spot`, or `2 of the 3 nodes that run its pods are
 * spot`.
 */
export function spotShareText({ nodes, spot, allRunning }: SpotShare): string {
  if (allRunning)
    return nodes === 1
      ? 'the node that runs its pods is spot'
      : `${spot} of the ${nodes} nodes that run its pods ${spot === 1 ? 'is' : 'are'} spot`;
  return nodes === 1
    ? 'the node planned for its pods may be spot'
    : `${spot} of the ${nodes} nodes planned for its pods may be spot`;
}
