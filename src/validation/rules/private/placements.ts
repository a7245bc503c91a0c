import { Label } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { groupsOf } from '../../schedule-input';
import { RuleContext } from '../rule';

/** Pods of a workload on a node that is there already, or is planned. */
export interface Placement {
  readonly node: string;
  readonly nodePool?: string;
  readonly pods: number;
  /** Of a planned node. */
  readonly claim?: PlannedNodeClaim;
}

/** Where the plan has the pods of a workload; those that run already are not in it. */
export function placementsOf({ plan, input }: RuleContext, workload: WorkloadManifest): Placement[] {
  const own = groupsOf(workload);
  const podsIn = (groups: ReadonlyMap<number, number>) => own.reduce((sum, group) => sum + (groups.get(group) ?? 0), 0);
  const planned = plan.nodeClaims.map((claim): Placement => ({ node: claim.id, nodePool: claim.nodePool, pods: podsIn(claim.groups), claim }));
  const filled = plan.filledNodes.map(({ node, groups }): Placement => {
    const labels = input.nodes?.find(({ name }) => name === node)?.labels;
    return { node, nodePool: labels?.[Label.NODE_POOL], pods: podsIn(groups) };
  });
  return [...planned, ...filled].filter(({ pods }) => pods > 0);
}

/** Names of the NodePools that the plan gives its pods to, sorted. */
export function poolNamesOf(context: RuleContext, workload: WorkloadManifest): string[] {
  return [...new Set(placementsOf(context, workload).flatMap(({ nodePool }) => nodePool ?? []))].sort();
}
