import { SolvedInput } from './solve';
import { FilterFlag, PackerRefusal } from '../../kernel';
import { listText } from '../../model';
import { isStatic } from '../input/schedule-input';
import { allNames, podName } from '../pods/pod-name';
import { Attempt, attemptOf, joinedRequirements, SolvedWorkload } from '../refusals/attempt';
import { attemptFunnel } from '../refusals/attempt-funnel';
import { diagnose, staticPoolText } from '../refusals/diagnosis';
import { poolFunnel } from '../refusals/funnel';
import { isTopology, topologyGroupOf } from '../refusals/launchable-types';
import { poolWithoutTypes, refusalText } from '../refusals/refusal-text';
import { topologyText } from '../refusals/topology-error';
import { clashText } from '../refusals/topology-picks';
import { PoolRefusal, UnschedulablePod } from '../schedule-plan';

/** At most this many pod classes get diagnoses; more are not readable, and take time. */
const MAX_DIAGNOSED_CLASSES = 200;
/** Bound for the product of diagnosed pod classes and pools. */
const MAX_DIAGNOSES = 5_000;

/**
 * The unscheduled pods, each with the refusals of all pools. Groups are numbered as in the workload.
 *
 * @param withReasons whether refusals get messages and diagnoses
 */
export function unschedulable({ workload, solved }: SolvedInput, withReasons: boolean): UnschedulablePod[] {
  if (solved === undefined) {
    return workload.groups.flatMap((group, index) =>
      allNames(group).map((pod) => ({ pod, group: index, reasons: [] })),
    );
  }
  const reasonsOfClass = new Map<number, PoolRefusal[]>();
  const result: UnschedulablePod[] = [];
  const { leftovers } = solved.solution;
  const maxClasses = Math.min(MAX_DIAGNOSED_CLASSES, Math.ceil(MAX_DIAGNOSES / solved.templates.length));
  for (let index = 0; index < leftovers.length; index += 2) {
    const [group, left] = leftovers.subarray(index, index + 2);
    const podClass = workload.pods.classOf[group];
    let reasons = reasonsOfClass.get(podClass);
    if (reasons === undefined) {
      reasons = withReasons
        ? refusals(solved, podClass, reasonsOfClass.size < maxClasses)
        : refusalFlagsOnly(solved, podClass);
      reasonsOfClass.set(podClass, reasons);
    }
    const { count } = workload.groups[group];
    for (let ordinal = count - left; ordinal < count; ordinal++) {
      result.push({ pod: podName(workload.groups[group], ordinal), group, reasons });
    }
  }
  return result;
}

function refusals(solved: SolvedWorkload, podClass: number, isDiagnosed: boolean): PoolRefusal[] {
  const { templates, groups, solution } = solved;
  if (templates.every(({ pool }) => isStatic(pool)))
    return [{ nodePool: '', message: 'no dynamic nodepools found', diagnosis: staticPoolsText(templates) }];
  if (groups.every((ofTemplate) => ofTemplate.length === 0)) {
    return templates.map((template) => ({
      nodePool: template.pool.name,
      message: poolWithoutTypes(),
      elimination: poolFunnel(template).steps,
    }));
  }
  return templates.flatMap((template, index) => {
    const refusal = solution.refusals[podClass * templates.length + index];
    if (groups[index].length === 0 || refusal === PackerRefusal.NONE) return [];
    const attempt = attemptOf(solved, podClass, index);
    const details = isDiagnosed ? { diagnosis: diagnose(attempt, solved), elimination: attemptFunnel(attempt) } : {};
    return [{ nodePool: template.pool.name, ...flagsOf(refusal), message: messageOf(attempt, solved), ...details }];
  });
}

function staticPoolsText(templates: SolvedWorkload['templates']): string {
  const pools = templates.map(({ pool }) => staticPoolText(pool)).sort();
  return `no dynamic NodePool: ${listText(pools)}`;
}

function refusalFlagsOnly({ templates, groups, solution }: SolvedWorkload, podClass: number): PoolRefusal[] {
  return templates.flatMap(({ pool }, index) => {
    const refusal = solution.refusals[podClass * templates.length + index];
    return groups[index].length === 0 || refusal === PackerRefusal.NONE
      ? []
      : [{ nodePool: pool.name, ...flagsOf(refusal), message: '' }];
  });
}

function flagsOf(
  refusal: number,
): Pick<PoolRefusal, 'deferred' | 'noInstanceTypeLeft' | 'blockedByOtherPods' | 'independentOfSize'> {
  return { ...deferralFlags(refusal), ...(isIndependentOfSize(refusal) ? { independentOfSize: true } : {}) };
}

/** Why a later pass may schedule the pod. */
function deferralFlags(refusal: number): Pick<PoolRefusal, 'deferred' | 'noInstanceTypeLeft' | 'blockedByOtherPods'> {
  if (refusal === PackerRefusal.RESERVED) return { deferred: true };
  if (isTopology(refusal)) return topologyGroupOf(refusal) < 0 ? {} : { blockedByOtherPods: true };
  const isTypeRefusal =
    refusal === PackerRefusal.LIMITS || refusal === PackerRefusal.MIN_VALUES || refusal >= PackerRefusal.FILTERED;
  return isTypeRefusal ? { noInstanceTypeLeft: true } : {};
}

/** Whether no instance type fits, no matter how large. */
function isIndependentOfSize(refusal: number): boolean {
  if (refusal >= PackerRefusal.FILTERED && !isTopology(refusal))
    return Math.floor(refusal / FilterFlag.REQUIREMENTS_AND_OFFERING) % 2 === 0;
  return (
    isTopology(refusal) ||
    refusal === PackerRefusal.TAINT ||
    refusal === PackerRefusal.REQUIREMENTS ||
    refusal === PackerRefusal.VOLUMES
  );
}

/** Karpenter's error message. */
export function messageOf(attempt: Attempt, solved: SolvedWorkload): string {
  const { refusal, template, variant, volumes, picks } = attempt;
  if (!isTopology(refusal)) return refusalText(refusal, attempt);
  const node = joinedRequirements(template, variant);
  node.add(...volumes.values());
  const group = topologyGroupOf(refusal);
  return group < 0 ? clashText(node, picks) : topologyText(group, node, variant, solved);
}
