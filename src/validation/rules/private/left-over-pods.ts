import { fail, notEvaluated, pass } from './outcome';
import { targetsOtherNodes } from './pod-constraints';
import { joinNames } from './wording';
import { PoolRefusal, UnschedulablePod } from '../../../scheduling';
import { fittingChanges } from '../../fitting-changes';
import { WorkloadManifest } from '../../manifest/model';
import { groupsOf } from '../../schedule-input';
import { unjudgedObjects } from '../../unjudged';
import { Outcome, RuleContext } from '../rule';

/** NodePools of which is told why they refuse a pod. */
const MOST_REFUSALS = 3;

/** Rules that name the mistake that keeps pods from every node. */
export const NAMED_BY = ['KARP-105', 'KARP-106', 'KARP-211', 'KARP-301'] as const;

/**
 * Of each workload whether its pods are left without a node, in a way that a rule is about. The way of the first of them stands for all.
 *
 * @param isOfRule by why each NodePool refuses the pod
 */
export function leftOverPods(context: RuleContext, isOfRule: (reasons: readonly PoolRefusal[]) => boolean): Outcome[] {
  const { model, plan } = context;
  if (plan.pools.length === 0) return [];
  const unknown = unjudgedObjects(model).unknownPools;
  const left = byGroup(plan.unschedulable);
  const unevaluated = new Map(plan.notEvaluated.map(({ group, what }) => [group, what]));
  return model.workloads.flatMap((workload): Outcome[] => {
    const groups = groupsOf(workload);
    if (workload.shape === undefined || groups.length === 0 || (targetsOtherNodes(workload) && !model.cluster)) return [];
    const waiting = groups.flatMap((group) => left.get(group) ?? []);
    const [why] = groups.flatMap((group) => unevaluated.has(group) ? [unevaluated.get(group)!] : []);
    if (waiting.length > 0 && unknown.length > 0) return [notEvaluated(workload.object, `it may have its nodes from ${joinNames(unknown, 'or')}`)];
    if (waiting.length > 0 && isOfRule(waiting[0].reasons)) return [finding(workload, waiting, context)];
    return [why === undefined ? pass(workload.object) : notEvaluated(workload.object, `its pods are not: ${joinNames(why)}`)];
  });
}

/** Whether it is something else than size and limits that every NodePool refuses a pod for. */
export function isOfConstraints(reasons: readonly PoolRefusal[]): boolean {
  return reasons.length > 0 && reasons.every(({ ofConstraints }) => ofConstraints);
}

function byGroup(pods: readonly UnschedulablePod[]): Map<number, UnschedulablePod[]> {
  const groups = new Map<number, UnschedulablePod[]>();
  for (const pod of pods) {
    const known = groups.get(pod.group);
    if (known) known.push(pod); else groups.set(pod.group, [pod]);
  }
  return groups;
}

function finding(workload: WorkloadManifest, waiting: readonly UnschedulablePod[], context: RuleContext): Outcome {
  const { running = 0, replicas } = workload;
  const [{ pod, group, reasons }] = waiting;
  const change = fittingChanges(context).get(group)?.description;
  const wanted = replicas - running;
  return fail({
    object: workload.object,
    path: workload.podPath,
    message: `${howMany(waiting.length, wanted)} on no node${reasonsText(reasons)}`,
    remedy: change ?? remedyOf(pod, reasons),
    evidence: {
      pods: waiting.length,
      of: wanted,
      reasons: reasons.map(({ nodePool, message }) => ({ nodePool, message })),
      smallestChange: change ?? null,
    },
  });
}

/** Without a change that was tried. Pods that Karpenter does not take up are refused by no NodePool in particular. */
function remedyOf(pod: string, reasons: readonly PoolRefusal[]): string {
  if (reasons.some(({ nodePool, ofConstraints }) => nodePool === '' && ofConstraints)) {
    return 'change this in the pod template: as long as it is there, Karpenter launches nothing for its pods, whatever the NodePools give';
  }
  return `let a NodePool launch nodes for them; \`karpenter-constructs explain --pod ${pod}\` tells what stands in the way, step by step`;
}

function howMany(waiting: number, wanted: number): string {
  if (wanted === 1) return 'its pod fits';
  return waiting === wanted ? `its ${wanted} pods fit` : `${waiting} of its ${wanted} pods fit`;
}

function reasonsText(reasons: readonly PoolRefusal[]): string {
  const told = reasons.slice(0, MOST_REFUSALS).map(({ nodePool, message, diagnosis }) =>
    `${nodePool === '' ? '' : `NodePool ${nodePool}: `}${diagnosis ?? message.replace(/, requirements=.*/s, '')}`);
  const more = reasons.length > MOST_REFUSALS ? `; and so ${reasons.length - MOST_REFUSALS} more` : '';
  return told.length === 0 ? '' : `: ${told.join('; ')}${more}`;
}
