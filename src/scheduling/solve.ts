import { Catalog } from '../catalog';
import { pack, PackerLimitError } from '../kernel';
import { admit, Admission } from './admission';
import { Solved } from './attempt';
import { ClaimKinds } from './claim-kind';
import { SharedClaims } from './claims-in-common';
import { daemonGroups } from './daemon-groups';
import { daemonOverheads, ofGroups } from './daemon-overheads';
import { relaxedByPools } from './daemon-terms';
import { nodeViews } from './existing-nodes';
import { LaunchPricing } from './launch-options';
import { FinalClaims, nodeClaims } from './node-claims';
import { classify } from './pod-classes';
import { allNames } from './pod-name';
import { encodeProblem, Workload } from './problem';
import { classesAfter, takenBy } from './reservations-left';
import { ScheduleInput } from './schedule-input';
import { UnevaluatedPods, UnschedulablePod } from './schedule-plan';
import { StaticNode, staticNodes } from './static-nodes';
import { isStatic } from './static-pools';
import { PoolTemplate, templatesOf } from './templates';

/** An input with what the kernel made of it. */
export interface SolvedInput {
  readonly workload: Workload;
  /** Per group of the workload: its index in the input. */
  readonly indices: readonly number[];
  /** Absent where there is no pool to try. */
  readonly solved?: Solved;
  readonly final: FinalClaims;
  readonly pricing: LaunchPricing;
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly ignored: readonly UnschedulablePod[];
  /** Whether the kernel ran into a bound: then no pod is evaluated. */
  readonly isBeyondBounds: boolean;
  readonly staticNodes: readonly StaticNode[];
}

/**
 * Where the kernel runs into one of its bounds, nothing is known of any pod, but still what the pools can launch.
 *
 * @throws PackerLimitError where the pools alone are more than the kernel takes
 */
export function solveInput(input: ScheduleInput, catalog: Catalog): SolvedInput {
  const admission = admit(input);
  try {
    return solveAdmitted(input, catalog, admission);
  } catch (error) {
    if (!(error instanceof PackerLimitError) || admission.indices.length === 0) throw error;
    const beyond = admission.indices.map((group): UnevaluatedPods => ({ pods: allNames(input.pods[group]), group, what: [error.message] }));
    const { notEvaluated, ignored } = admission;
    const nobody = { indices: [], bystanders: [], ignored, notEvaluated: [...notEvaluated, ...beyond] };
    return { ...solveAdmitted(input, catalog, nobody), isBeyondBounds: true };
  }
}

function solveAdmitted(input: ScheduleInput, catalog: Catalog, admission: Admission): SolvedInput {
  const pricing = new LaunchPricing();
  const ofStaticPools = staticNodes(input, catalog, pricing);
  const nodes = [...input.nodes ?? [], ...ofStaticPools.flatMap(({ node }) => node ?? [])];
  const nodeClasses = classesAfter(input.nodeClasses, takenBy(ofStaticPools.map(({ claim }) => claim)));
  const workload = workloadOf({ ...input, nodes }, templatesOf({ ...input, nodeClasses }, catalog), admission);
  const solved = workload.templates.length === 0 ? undefined : solve(workload);
  const final = solved === undefined ? { claims: [], refused: [] }
    : nodeClaims(workload, solved, new ClaimKinds(workload.templates, solved.groups, pricing, input.settings), input.claimsBefore);
  return { ...admission, workload, solved, final, pricing, isBeyondBounds: false, staticNodes: ofStaticPools };
}

/** Per group of the input, the number of its pods that have no node. */
export function leftBehind({ workload, indices, solved, final, ignored }: SolvedInput): Map<number, number> {
  const left = new Map<number, number>();
  const add = (group: number, count: number) => left.set(group, (left.get(group) ?? 0) + count);
  for (const { group } of ignored) add(group, 1);
  for (const { group } of final.refused) add(indices[group], 1);
  if (solved === undefined) workload.groups.forEach(({ count }, group) => add(indices[group], count));
  const leftovers = solved?.solution.leftovers ?? [];
  for (let at = 0; at < leftovers.length; at += 2) add(indices[leftovers[at]], leftovers[at + 1]);
  return left;
}

function solve(workload: Workload): Solved {
  const { templates, nodes, pods, daemonSets, relaxedDaemonSets, settings } = workload;
  const { problem, vocabulary } = encodeProblem(workload);
  const solution = pack(problem, settings.solverBounds);
  const groups = daemonGroups(solution, templates.length, daemonSets);
  const overheads = templates.map((template, at) => ofGroups(groups[at], daemonOverheads(template, template.requirements, relaxedDaemonSets)));
  return { templates, nodes, pods, solution, vocabulary, groups, daemonSets: relaxedDaemonSets, overheads, settings };
}

/** What the solver gets of an input. */
export function workloadOf(
  input: ScheduleInput, templates: readonly PoolTemplate[], { indices, bystanders }: Pick<Admission, 'indices' | 'bystanders'>, sharedClaims?: SharedClaims,
): Workload {
  const groups = indices.map((index) => input.pods[index]);
  const surroundings = { ...input, bystanders: bystanders.map((index) => input.pods[index]), sharedClaims };
  const { nodes = [] } = input;
  const daemonSets = input.daemonSets.filter(({ shape }) => !shape.resourceClaims || input.settings.ignoreDraRequests === false);
  const relaxedDaemonSets = relaxedByPools(daemonSets, templates, input.settings);
  return {
    templates,
    daemonSets,
    relaxedDaemonSets,
    nodes: nodeViews(nodes, relaxedDaemonSets),
    groups,
    pods: classify(groups, input.nodePools.filter((pool) => !isStatic(pool)), input.settings, surroundings),
    settings: input.settings,
  };
}
