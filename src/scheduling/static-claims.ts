import { merge, ResourceList } from '../model';
import { daemonRequests } from './existing-nodes';
import { Workload } from './problem';
import { FilledNode, PlannedNodeClaim } from './schedule-plan';
import { StaticNode } from './static-nodes';

/** The nodes of static pools as what Karpenter launches, with what runs on them. */
export function staticClaims(
  nodes: readonly StaticNode[],
  { nodes: views, relaxedDaemonSets }: Workload,
  filled: ReadonlyArray<FilledNode & { readonly requests: ResourceList }>,
): PlannedNodeClaim[] {
  const filledByName = new Map(filled.map((each) => [each.node, each]));
  const viewByName = new Map(views.map((view) => [view.node.name, view]));
  return nodes.map(({ claim }) => {
    const view = viewByName.get(claim.id);
    const { pods = [], groups = new Map(), requests = new Map() } = filledByName.get(claim.id) ?? {};
    const daemons = view ? daemonRequests(view.node, view.requirements, relaxedDaemonSets) : new Map();
    return { ...claim, pods, groups, requests: merge(requests, daemons) };
  });
}
