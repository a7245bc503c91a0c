import { countsOnNodes, filledNodes } from './node-claims';
import { FilledNode, PlannedNodeClaim, SchedulePlan, UnschedulablePod } from '../schedule-plan';
import { poolViews } from './pool-views';
import { unschedulable } from './refusals';
import { SolvedInput, solveInput } from './solve';
import { staticClaims } from './static-nodes';
import { Catalog } from '../../catalog';
import { ScheduleInput } from '../input/schedule-input';
import { poolTables } from '../launch/overlays/node-overlays';

/**
 * Simulates one pass of Karpenter's provisioner in which all pods are pending.
 *
 * @throws PackerLimitError if the pools alone exceed the solver's bounds
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(input: ScheduleInput, catalog: Catalog): SchedulePlan {
  return planOf(solveInput(input, catalog), input, catalog);
}

/** Converts a solved input into a plan. */
export function planOf(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  return { ...planWithoutReasons(solvedInput, input, catalog), unschedulable: unschedulablePods(solvedInput, true) };
}

/** Same as `planOf`, but without messages: refusals only have their flags. Messages take longer than the solve. */
export function planWithoutReasons(solvedInput: SolvedInput, input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const { workload, solved, pricing, notEvaluated } = solvedInput;
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    ...plannedPlacements(solvedInput),
    unschedulable: unschedulablePods(solvedInput, false),
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

/** @param withReasons whether to add Karpenter's messages and the diagnoses, which take longer than the solve */
export function unschedulablePods(solvedInput: SolvedInput, withReasons: boolean): UnschedulablePod[] {
  const { indices, final, ignored } = solvedInput;
  return [
    ...ignored,
    ...[...unschedulable(solvedInput, withReasons), ...final.refused].map((pod) => ({
      ...pod,
      group: indices[pod.group],
    })),
  ];
}

/** Where the pods are scheduled. */
export function plannedPlacements(solvedInput: SolvedInput): Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'> {
  const { indices, workload, solved, staticNodes } = solvedInput;
  const staticNames = new Set(staticNodes.flatMap(({ node }) => node?.name ?? []));
  const existing = filledNodes(workload, solved?.solution).filter(({ node }) => !staticNames.has(node));
  return {
    nodeClaims: claimsOf(solvedInput),
    filledNodes: existing.map(({ node, pods, groups }) => numbered({ node, pods, groups }, indices)),
  };
}

/** Pod counts by group on existing nodes. Use it only if no static pool needs new nodes. */
export function podCountsOnFilledNodes({
  workload,
  solved,
  indices,
}: SolvedInput): Array<Pick<FilledNode, 'node' | 'groups'>> {
  return (solved ? countsOnNodes(solved.solution, indices) : []).map(([index, groups]) => ({
    node: workload.nodes[index].node.name,
    groups,
  }));
}

/** The planned NodeClaims: claims of static pools first. */
export function claimsOf({ workload, solved, staticNodes, indices, final }: SolvedInput): PlannedNodeClaim[] {
  const staticNodeClaims =
    staticNodes.length === 0 ? [] : staticClaims(staticNodes, workload, filledNodes(workload, solved?.solution));
  return [...staticNodeClaims, ...final.claims].map((claim) => numbered(claim, indices));
}

/**
 * Pairs of existing node and pod group with pods on it, in order of placement.
 *
 * @param names nodes to include. @default - all
 */
export function podGroupsOnNodes({ workload, solved, indices }: SolvedInput, names?: ReadonlySet<string>) {
  const { placements = [] } = solved?.solution ?? {};
  const byNode = new Map<string, Set<number>>();
  for (let index = 0; names?.size !== 0 && index < placements.length; index += 2) {
    if (placements[index + 1] >= 0) continue;
    const { name } = workload.nodes[-1 - placements[index + 1]].node;
    if (names?.has(name) ?? true) byNode.set(name, (byNode.get(name) ?? new Set()).add(indices[placements[index]]));
  }
  return [...byNode].flatMap(([node, groups]) => [...groups].map((group) => ({ node, group })));
}

/** Replaces the workload's group numbers with indices into `ScheduleInput.pods`. */
function numbered<Placed extends { readonly groups: ReadonlyMap<number, number> }>(
  placed: Placed,
  indices: SolvedInput['indices'],
): Placed {
  return { ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) };
}
