import { Catalog } from '../catalog';
import { pack, Refusal } from '../kernel';
import { Attempt, attemptOf, joinedRequirements, Solved } from './attempt';
import { daemonGroups } from './daemon-groups';
import { daemonOverheads } from './daemon-overheads';
import { diagnose } from './diagnosis';
import { PodGroup, PoolRefusal, ScheduleInput, SchedulePlan, UnevaluatedPods, UnschedulablePod } from './domain';
import { eligibility } from './eligibility';
import { nodeViews } from './existing-nodes';
import { LaunchPricing } from './launch-options';
import { isTopology } from './launchable-types';
import { filledNodes, nodeClaims } from './node-claims';
import { poolTables } from './node-overlays';
import { classify } from './pod-classes';
import { podName } from './pod-name';
import { poolViews } from './pool-views';
import { encodeProblem, Workload } from './problem';
import { poolWithoutTypes, refusalText } from './refusal-text';
import { isStatic } from './static-pools';
import { templatesOf } from './templates';
import { topologyText } from './topology-text';

/** As many as the kernel's memory surely holds; what is beyond is said to be, not packed. */
const MOST_PODS = 200_000;

/** Kinds of pods that are told more than Karpenter's own words: enough to read, and quick. */
const MOST_DIAGNOSES = 200;

/**
 * What Karpenter's provisioner would do with the pods, all pending at once on an empty cluster.
 *
 * @throws PackerLimitError where the input is larger than the solver takes
 * @see https://karpenter.sh/docs/concepts/scheduling/
 */
export function schedule(input: ScheduleInput, catalog: Catalog): SchedulePlan {
  const notEvaluated: UnevaluatedPods[] = [];
  const ignored: UnschedulablePod[] = [];
  const indices: number[] = [];
  let packed = 0;
  input.pods.forEach((group, index) => {
    if (packed + group.count > MOST_PODS) {
      notEvaluated.push({ pods: [`${group.namespace}/${group.name}-*`], group: index, what: [`${group.count} pods: at most ${MOST_PODS} are packed in one check`] });
      return;
    }
    packed += group.count;
    const verdict = eligibility(group, input);
    if (verdict.kind === 'schedule') indices.push(index);
    else if (verdict.kind === 'unevaluated') notEvaluated.push({ pods: allNames(group), group: index, what: verdict.what });
    else ignored.push(...allNames(group).map((pod) => ({ pod, group: index, reasons: [{ nodePool: '', message: verdict.message }] })));
  });
  const workload = workloadOf(input, catalog, indices);
  const solved = workload.templates.length === 0 ? undefined : solve(workload);
  const pricing = new LaunchPricing();
  const { claims, refused } = solved === undefined ? { claims: [], refused: [] } : nodeClaims(workload, solved.solution, solved.groups, pricing);
  /** With the groups numbered as in the input. */
  const numbered = <T extends { readonly groups: ReadonlyMap<number, number> }>(placed: T): T =>
    ({ ...placed, groups: new Map([...placed.groups].map(([group, count]) => [indices[group], count])) });
  return {
    pools: poolViews({ ...workload, input, catalog }, solved, pricing),
    nodeClaims: claims.map(numbered),
    filledNodes: solved === undefined ? [] : filledNodes(workload, solved.solution).map(numbered),
    unschedulable: [...ignored, ...[...unschedulable(workload, solved), ...refused].map((pod) => ({ ...pod, group: indices[pod.group] }))],
    notEvaluated,
    overlayConflicts: poolTables(input, catalog).conflicts,
  };
}

function solve(workload: Workload): Solved {
  const { templates, nodes, pods, daemonSets, settings } = workload;
  const { problem, vocabulary } = encodeProblem(workload);
  const solution = pack(problem);
  const overheads = templates.map((template) => daemonOverheads(template, template.requirements, daemonSets));
  const groups = daemonGroups(solution, templates.length, daemonSets);
  return { templates, nodes, pods, solution, vocabulary, groups, daemonSets, overheads, settings };
}

function workloadOf(input: ScheduleInput, catalog: Catalog, indices: readonly number[]): Workload {
  const groups = indices.map((index) => input.pods[index]);
  const { nodes = [] } = input;
  const daemonSets = input.daemonSets.filter(({ shape }) => !shape.resourceClaims || input.settings.ignoreDraRequests === false);
  return {
    templates: templatesOf(input, catalog),
    daemonSets,
    nodes: nodeViews(nodes, daemonSets),
    groups,
    pods: classify(groups, input.nodePools.filter((pool) => !isStatic(pool)), input.settings, input),
    settings: input.settings,
  };
}

function allNames(group: PodGroup): string[] {
  return Array.from({ length: group.count }, (_, ordinal) => podName(group, ordinal));
}

function unschedulable(workload: Workload, solved: Solved | undefined): UnschedulablePod[] {
  if (solved === undefined) {
    return workload.groups.flatMap((group, index) => allNames(group).map((pod) => ({ pod, group: index, reasons: [] })));
  }
  const reasonsOfClass = new Map<number, PoolRefusal[]>();
  const result: UnschedulablePod[] = [];
  const { leftovers } = solved.solution;
  for (let at = 0; at < leftovers.length; at += 2) {
    const [group, left] = leftovers.subarray(at, at + 2);
    const podClass = workload.pods.classOf[group];
    let reasons = reasonsOfClass.get(podClass);
    if (reasons === undefined) {
      reasons = refusals(solved, podClass, reasonsOfClass.size < MOST_DIAGNOSES);
      reasonsOfClass.set(podClass, reasons);
    }
    const { count } = workload.groups[group];
    for (let ordinal = count - left; ordinal < count; ordinal++) {
      result.push({ pod: podName(workload.groups[group], ordinal), group, reasons });
    }
  }
  return result;
}

function refusals(solved: Solved, podClass: number, isDiagnosed: boolean): PoolRefusal[] {
  const { templates, groups, solution } = solved;
  if (groups.every((ofTemplate) => ofTemplate.length === 0)) {
    return templates.map(({ pool }) => ({ nodePool: pool.name, message: poolWithoutTypes() }));
  }
  return templates.flatMap((template, at) => {
    if (groups[at].length === 0 || solution.refusals[podClass * templates.length + at] === Refusal.NONE) return [];
    const attempt = attemptOf(solved, podClass, at);
    const diagnosis = isDiagnosed ? diagnose(attempt, solved) : undefined;
    return [{ nodePool: template.pool.name, message: messageOf(attempt, solved), diagnosis }];
  });
}

function messageOf(attempt: Attempt, solved: Solved): string {
  const { code, template, variant } = attempt;
  if (!isTopology(code)) return refusalText(code, attempt);
  return topologyText(Math.floor(code / 256) - 1, joinedRequirements(template, variant), variant, solved);
}
