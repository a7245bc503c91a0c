import { placementsOf } from './placements';
import { blockingTaint, requirementAlternatives, targetsNonKarpenterNodes } from './pod-constraints';
import { poolsOf } from './pool';
import { Label, memoizeByIdentity, Requirements, RequirementSpec, WELL_KNOWN_LABELS } from '../../../model';
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

/**
 * How the pods come to nodes that EC2 does not interrupt. A NodePool has to allow such nodes first: otherwise pods that
 * require them stay Pending.
 */
export function onDemandRemedy(context: RuleContext, { shape }: WorkloadManifest): string {
  const remedy = 'require karpenter.sh/capacity-type In [on-demand, reserved]';
  const pools = poolsOf(context).filter(({ spec }) => spec !== undefined);
  if (!shape || pools.length === 0 || pools.length < poolsOf(context).length) return remedy;
  const accepting = (capacity: readonly RequirementSpec[]) =>
    pools.filter(
      ({ spec, requirements }) =>
        blockingTaint(shape, spec!.taints) === undefined &&
        requirementAlternatives(shape).some((specs) => {
          const others = specs.filter(({ key }) => key !== Label.CAPACITY_TYPE);
          return requirements!.compatible(Requirements.from([...others, ...capacity]), WELL_KNOWN_LABELS) === undefined;
        }),
    );
  if (accepting([NOT_SPOT]).length > 0) return remedy;
  const [pool] = accepting([]);
  return pool === undefined ? remedy : `let NodePool ${pool.name} launch on-demand nodes too, and ${remedy}`;
}

const NOT_SPOT: RequirementSpec = { key: Label.CAPACITY_TYPE, operator: 'In', values: ['on-demand', 'reserved'] };

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
