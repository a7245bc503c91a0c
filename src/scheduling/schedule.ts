import { Catalog } from '../catalog';
import { countsOnNodes, filledNodes } from './node-claims';
import { poolTables } from './node-overlays';
import { poolViews } from './pool-views';
import { unschedulable } from './refusals';
import { ScheduleInput } from './schedule-input';
import { FilledNode, PlannedNodeClaim, SchedulePlan, UnschedulablePod } from './schedule-plan';
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
  return { ...planWithoutWords(solvedInput, input, catalog), unschedulable: withoutNode(solvedInput, true) };
}

/** The same, where nobody asks why pods have no node: of what keeps them only the kind is told. */
export function planWithoutWords(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const { workload, solved, pricing, notEvaluated } = solvedInput;
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    ...placementsOf(solvedInput),
    unschedulable: withoutNode(solvedInput, false),
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

/** @param hasWords whether Karpenter's reasons are told, and what stands in the way, which takes longer than to solve */
export function withoutNode(solvedInput: SolvedInput, hasWords: boolean): UnschedulablePod[] {
  const { indices, final, ignored } = solvedInput;
  return [...ignored, ...[...unschedulable(solvedInput, hasWords), ...final.refused].map((pod) => ({ ...pod, group: indices[pod.group] }))];
}

/** Where the pods go, and nothing of why. */
export function placementsOf(solvedInput: SolvedInput): Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'> {
  const { indices, workload, solved, staticNodes } = solvedInput;
  const ofPools = new Set(staticNodes.flatMap(({ node }) => node?.name ?? []));
  const others = filledNodes(workload, solved?.solution).filter(({ node }) => !ofPools.has(node));
  return {
    nodeClaims: claimsOf(solvedInput),
    filledNodes: others.map(({ node, pods, groups }) => numbered({ node, pods, groups }, indices)),
  };
}

/** Existing nodes alone, and of the pods no more than how many of which group; where no static pool is short of nodes. */
export function countsOnFilledNodes({ workload, solved, indices }: SolvedInput): Array<Pick<FilledNode, 'node' | 'groups'>> {
  return (solved ? countsOnNodes(solved.solution, indices) : []).map(([at, groups]) => ({ node: workload.nodes[at].node.name, groups }));
}

/** New nodes alone: those of static pools, with the pods that go there, before the others. */
export function claimsOf({ workload, solved, staticNodes, indices, final }: SolvedInput): PlannedNodeClaim[] {
  const ofPools = staticNodes.length === 0 ? [] : staticClaims(staticNodes, workload, filledNodes(workload, solved?.solution));
  return [...ofPools, ...final.claims].map((claim) => numbered(claim, indices));
}

/** Of existing nodes, or those of these names: each group with pods there, in order of placement. */
export function groupsOnNodes({ workload, solved, indices }: SolvedInput, names?: ReadonlySet<string>) {
  const { placements = [] } = solved?.solution ?? {};
  const found = new Map<string, Set<number>>();
  for (let at = 0; names?.size !== 0 && at < placements.length; at += 2) {
    if (placements[at + 1] >= 0) continue;
    const { name } = workload.nodes[-1 - placements[at + 1]].node;
    if (names?.has(name) ?? true) found.set(name, (found.get(name) ?? new Set()).add(indices[placements[at]]));
  }
  return [...found].flatMap(([node, groups]) => [...groups].map((group) => ({ node, group })));
}

/** With the groups numbered as in the input. */
function numbered<Placed extends { readonly groups: ReadonlyMap<number, number> }>(placed: Placed, indices: SolvedInput['indices']): Placed {
  return { ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) };
}
