import { Catalog } from '../catalog';
import { filledNodes } from './node-claims';
import { poolTables } from './node-overlays';
import { poolViews } from './pool-views';
import { unschedulable } from './refusals';
import { ScheduleInput } from './schedule-input';
import { FilledNode, PlannedNodeClaim, SchedulePlan } from './schedule-plan';
import { SolvedInput, solveInput } from './solve';
import { staticClaims } from './static-claims';

/**
 * What one pass of Karpenter's provisioner would do with the pods, all pending at once.
 *
 * @throws PackerLimitError where the pools alone are more than the solver takes
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(input: ScheduleInput, catalog: Catalog): SchedulePlan {
  return planOf(solveInput(input, catalog), input, catalog);
}

/** What has been solved, in domain words. */
export function planOf(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const { workload, indices, solved, final, pricing, notEvaluated, ignored } = solvedInput;
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    ...placementsOf(solvedInput),
    unschedulable: [...ignored, ...[...unschedulable(solvedInput), ...final.refused].map((pod) => ({ ...pod, group: indices[pod.group] }))],
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

/** Where the pods go, and nothing of why. */
export function placementsOf(solvedInput: SolvedInput): Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'> {
  const { indices, final } = solvedInput;
  const { claims, others } = onNodes(solvedInput);
  return {
    nodeClaims: [...claims, ...final.claims].map((claim) => numbered(claim, indices)),
    filledNodes: others.map((node) => numbered(node, indices)),
  };
}

/** The nodes of static pools, with the pods that go there, and the other nodes that get pods. */
function onNodes({ workload, solved, staticNodes }: SolvedInput): { claims: PlannedNodeClaim[]; others: FilledNode[] } {
  const filled = filledNodes(workload, solved?.solution);
  if (staticNodes.length === 0) return { claims: [], others: filled.map(({ node, pods, groups }) => ({ node, pods, groups })) };
  const ofPools = new Set(staticNodes.flatMap(({ node }) => node?.name ?? []));
  return {
    claims: staticClaims(staticNodes, workload, filled),
    others: filled.filter(({ node }) => !ofPools.has(node)).map(({ node, pods, groups }) => ({ node, pods, groups })),
  };
}

/** With the groups numbered as in the input. */
function numbered<Placed extends { readonly groups: ReadonlyMap<number, number> }>(placed: Placed, indices: SolvedInput['indices']): Placed {
  return { ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) };
}
