import { ClaimKinds } from './claim-kinds';
import { FinalClaims, nodeClaims } from './node-claims';
import { StaticNode, staticNodes } from './static-nodes';
import { Catalog } from '../../catalog';
import { pack, PackerLimitError } from '../../kernel';
import { ClassificationContext, classify } from '../encoding/pod-classes';
import { encodeProblem, Workload } from '../encoding/problem';
import { isStatic, ScheduleInput } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { PoolTemplate, templatesOf } from '../launch/pool-template';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { daemonOverheadByType, daemonOverheadGroups, groupOverheadByType } from '../nodes/daemon-overhead';
import { nodeViews } from '../nodes/existing-nodes';
import { relaxDaemonSets } from '../nodes/relaxed-daemon-sets';
import { Admission, admit } from '../pods/admission';
import { allNames } from '../pods/pod-name';
import { SharedVolumes } from '../pods/shared-volumes';
import { SolvedWorkload } from '../refusals/attempt';
import { UnevaluatedPods, UnschedulablePod } from '../schedule-plan';

/** An input and its solution. */
export interface SolvedInput {
  readonly workload: Workload;
  /** Per group of the workload: its index in the input. */
  readonly indices: readonly number[];
  /** Absent if there is no pool to try. */
  readonly solved?: SolvedWorkload;
  readonly final: FinalClaims;
  readonly pricing: LaunchPricing;
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly ignored: readonly UnschedulablePod[];
  /** Whether the kernel ran into a bound. No pod is evaluated then. */
  readonly isBeyondBounds: boolean;
  readonly staticNodes: readonly StaticNode[];
}

/**
 * Schedules the pods of an input. If the kernel runs into one of its bounds, no pod is evaluated, but the result still
 * has what the pools can launch.
 *
 * @throws PackerLimitError if the pools alone are beyond the bounds
 */
export function solveInput(input: ScheduleInput, catalog: Catalog): SolvedInput {
  const admission = admit(input);
  try {
    return solveAdmitted(input, catalog, admission);
  } catch (error) {
    if (!(error instanceof PackerLimitError) || admission.indices.length === 0) throw error;
    const beyondBounds = admission.indices.map(
      (group): UnevaluatedPods => ({ pods: allNames(input.pods[group]), group, causes: [error.message] }),
    );
    const { notEvaluated, ignored } = admission;
    const withoutPods = { indices: [], unscheduledPods: [], ignored, notEvaluated: [...notEvaluated, ...beyondBounds] };
    return { ...solveAdmitted(input, catalog, withoutPods), isBeyondBounds: true };
  }
}

function solveAdmitted(input: ScheduleInput, catalog: Catalog, admission: Admission): SolvedInput {
  const pricing = new LaunchPricing();
  const staticPoolNodes = staticNodes(input, catalog, pricing);
  const nodes = [...(input.nodes ?? []), ...staticPoolNodes.flatMap(({ node }) => node ?? [])];
  const nodeClasses = nodeClassesAfter(input.nodeClasses, reservedInstances(staticPoolNodes.map(({ claim }) => claim)));
  const workload = encodeWorkload({ ...input, nodes }, templatesOf({ ...input, nodeClasses }, catalog), admission);
  const solved = workload.templates.length === 0 ? undefined : { ...solve(workload), unreadyPools: input.unreadyPools };
  const final =
    solved === undefined
      ? { claims: [], refused: [] }
      : nodeClaims(
          workload,
          solved,
          new ClaimKinds(workload.templates, solved.groups, pricing, input.settings),
          input.existingClaimCounts,
        );
  return { ...admission, workload, solved, final, pricing, isBeyondBounds: false, staticNodes: staticPoolNodes };
}

/** Per group of the input, the number of its pods that have no node. */
export function leftBehind({ workload, indices, solved, final, ignored }: SolvedInput): Map<number, number> {
  const left = new Map<number, number>();
  const add = (group: number, count: number) => left.set(group, (left.get(group) ?? 0) + count);
  for (const { group } of ignored) add(group, 1);
  for (const { group } of final.refused) add(indices[group], 1);
  if (solved === undefined) workload.groups.forEach(({ count }, group) => add(indices[group], count));
  const leftovers = solved?.solution.leftovers ?? [];
  for (let index = 0; index < leftovers.length; index += 2) add(indices[leftovers[index]], leftovers[index + 1]);
  return left;
}

function solve(workload: Workload): SolvedWorkload {
  const { templates, nodes, pods, daemonSets, relaxedDaemonSets, settings } = workload;
  const { problem, vocabulary } = encodeProblem(workload);
  const solution = pack(problem, settings.solverBounds);
  const groups = daemonOverheadGroups(solution, templates.length, daemonSets);
  const overheads = templates.map((template, index) =>
    groupOverheadByType(groups[index], daemonOverheadByType(template, template.requirements, relaxedDaemonSets)),
  );
  return { templates, nodes, pods, solution, vocabulary, groups, daemonSets: relaxedDaemonSets, overheads, settings };
}

/** Encodes what the solver needs of an input. */
export function encodeWorkload(
  input: ScheduleInput,
  templates: readonly PoolTemplate[],
  { indices, unscheduledPods }: Pick<Admission, 'indices' | 'unscheduledPods'>,
  sharedVolumes?: SharedVolumes,
): Workload {
  const groups = indices.map((index) => input.pods[index]);
  const { namespaces, nodes = [] } = input;
  const context: ClassificationContext = {
    namespaces,
    nodes,
    unscheduledPods: unscheduledPods.map((index) => input.pods[index]),
    sharedVolumes,
  };
  const daemonSets = input.daemonSets.filter(
    ({ shape }) => !shape.resourceClaims || input.settings.ignoreDraRequests === false,
  );
  const relaxedDaemonSets = relaxDaemonSets(daemonSets, templates, input.settings);
  return {
    templates,
    daemonSets,
    relaxedDaemonSets,
    nodes: nodeViews(nodes, relaxedDaemonSets),
    groups,
    pods: classify(
      groups,
      input.nodePools.filter((pool) => !isStatic(pool)),
      input.settings,
      context,
    ),
    settings: input.settings,
  };
}
