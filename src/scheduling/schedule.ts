import { Catalog } from '../catalog';
import { ScheduleInput, SchedulePlan } from './domain';
import { filledNodes } from './node-claims';
import { poolTables } from './node-overlays';
import { poolViews } from './pool-views';
import { unschedulable } from './refusals';
import { SolvedInput, solveInput } from './solve';

/**
 * What Karpenter's provisioner would do with the pods, all pending at once.
 *
 * @throws PackerLimitError where the input is larger than the solver takes
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const solvedInput = solveInput(input, catalog);
  const { workload, indices, solved, final, pricing, notEvaluated, ignored } = solvedInput;
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    nodeClaims: final.claims.map((claim) => numbered(claim, indices)),
    filledNodes: solved === undefined ? [] : filledNodes(workload, solved.solution).map((node) => numbered(node, indices)),
    unschedulable: [...ignored, ...[...unschedulable(solvedInput), ...final.refused].map((pod) => ({ ...pod, group: indices[pod.group] }))],
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

/** With the groups numbered as in the input. */
function numbered<Placed extends { readonly groups: ReadonlyMap<number, number> }>(placed: Placed, indices: SolvedInput['indices']): Placed {
  return { ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) };
}
