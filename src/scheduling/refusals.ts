import { FilterFlag, Refusal } from '../kernel';
import { Attempt, attemptOf, joinedRequirements, Solved } from './attempt';
import { diagnose } from './diagnosis';
import { attemptFunnel } from './explanation/attempt-funnel';
import { poolFunnel } from './explanation/elimination';
import { isTopology } from './launchable-types';
import { allNames, podName } from './pod-name';
import { poolWithoutTypes, refusalText } from './refusal-text';
import { PoolRefusal, UnschedulablePod } from './schedule-plan';
import { SolvedInput } from './solve';
import { isStatic } from './static-pools';
import { clashText } from './topology-picks';
import { topologyText } from './topology-text';

/** Kinds of pods that are told more than Karpenter's own words, and what as many pools say to each: enough to read, and quick. */
const MOST_KINDS = 200;
const MOST_DIAGNOSES = 5_000;

/**
 * The pods that are left over, each with what every pool says to it; groups are numbered as in the workload.
 *
 * @param hasWords whether it is told in words
 */
export function unschedulable({ workload, solved }: SolvedInput, hasWords: boolean): UnschedulablePod[] {
  if (solved === undefined) {
    return workload.groups.flatMap((group, index) => allNames(group).map((pod) => ({ pod, group: index, reasons: [] })));
  }
  const reasonsOfClass = new Map<number, PoolRefusal[]>();
  const result: UnschedulablePod[] = [];
  const { leftovers } = solved.solution;
  const most = Math.min(MOST_KINDS, Math.ceil(MOST_DIAGNOSES / solved.templates.length));
  for (let at = 0; at < leftovers.length; at += 2) {
    const [group, left] = leftovers.subarray(at, at + 2);
    const podClass = workload.pods.classOf[group];
    let reasons = reasonsOfClass.get(podClass);
    if (reasons === undefined) {
      reasons = hasWords ? refusals(solved, podClass, reasonsOfClass.size < most) : kindsOfRefusals(solved, podClass);
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
  if (templates.every(({ pool }) => isStatic(pool))) return [{ nodePool: '', message: 'no dynamic nodepools found' }];
  if (groups.every((ofTemplate) => ofTemplate.length === 0)) {
    return templates.map((template) => ({ nodePool: template.pool.name, message: poolWithoutTypes(), elimination: poolFunnel(template).steps }));
  }
  return templates.flatMap((template, at) => {
    const code = solution.refusals[podClass * templates.length + at];
    if (groups[at].length === 0 || code === Refusal.NONE) return [];
    const attempt = attemptOf(solved, podClass, at);
    const details = isDiagnosed ? { diagnosis: diagnose(attempt, solved), elimination: attemptFunnel(attempt) } : {};
    return [{ nodePool: template.pool.name, ...kindOf(code), message: messageOf(attempt, solved), ...details }];
  });
}

function kindsOfRefusals({ templates, groups, solution }: Solved, podClass: number): PoolRefusal[] {
  return templates.flatMap(({ pool }, at) => {
    const code = solution.refusals[podClass * templates.length + at];
    return groups[at].length === 0 || code === Refusal.NONE ? [] : [{ nodePool: pool.name, ...kindOf(code), message: '' }];
  });
}

function kindOf(code: number): Pick<PoolRefusal, 'putOff' | 'ofInstanceTypes' | 'ofOtherPods' | 'ofConstraints'> {
  return { ...hopes(code), ...isOfConstraints(code) ? { ofConstraints: true } : {} };
}

/** What another pass may come to otherwise. */
function hopes(code: number): Pick<PoolRefusal, 'putOff' | 'ofInstanceTypes' | 'ofOtherPods'> {
  if (code === Refusal.RESERVED) return { putOff: true };
  if (isTopology(code)) return groupOf(code) < 0 ? {} : { ofOtherPods: true };
  return code === Refusal.LIMITS || code === Refusal.MIN_VALUES || code >= Refusal.FILTERED ? { ofInstanceTypes: true } : {};
}

/** Of the constraint between pods that leaves no domain; negative where several constraints clash. */
function groupOf(code: number): number {
  return Math.floor(code / 256) - 1;
}

/** Whether no instance type would do, whatever its size. */
function isOfConstraints(code: number): boolean {
  if (code >= Refusal.FILTERED && !isTopology(code)) return Math.floor(code / FilterFlag.REQUIREMENTS_AND_OFFERING) % 2 === 0;
  return isTopology(code) || code === Refusal.TAINT || code === Refusal.REQUIREMENTS || code === Refusal.VOLUMES;
}

/** In Karpenter's own words. */
export function messageOf(attempt: Attempt, solved: Solved): string {
  const { code, template, variant, volumes, picks } = attempt;
  if (!isTopology(code)) return refusalText(code, attempt);
  const node = joinedRequirements(template, variant);
  node.add(...volumes.values());
  const group = groupOf(code);
  return group < 0 ? clashText(node, picks) : topologyText(group, node, variant, solved);
}
