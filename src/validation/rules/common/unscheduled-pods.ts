import { Label, listText } from '../../../model';
import { fail, notEvaluated, Outcome, pass, Remedy, RuleContext, RuleFinding } from '../rule';
import { BlockingField, blockingField } from './blocking-field';
import { dedicatedNodesOf } from './dedicated-nodes';
import { ignoredPodRemedy } from './ignored-pod-remedy';
import { unknownValueOf } from './known-values';
import { isForOrdinaryNodes, isRefusedByConstraints, nodeGroupFor, targetsOtherNodes } from './other-nodes';
import { constraintPath, requirementAlternatives } from './pod-constraints';
import { ONLY_PENDING_PODS, PodShape, PoolRefusal, UnschedulablePod } from '../../../scheduling';
import { objectsNotEvaluated } from '../../context/not-evaluated';
import { podGroupIndices } from '../../context/schedule-input';
import { FittingChange, pinnedPools, smallestFittingChanges } from '../../explain/fitting-changes';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { hasExclusiveTopology } from '../../manifest/workload/custom/gangs';

/** The message names at most this many NodePools. */
const MAX_REFUSALS = 3;

/** Rules that name the exact mistake for which every NodePool refuses a pod. */
export const MORE_SPECIFIC_RULES = ['KARP-105', 'KARP-106', 'KARP-211', 'KARP-216', 'KARP-218', 'KARP-301'] as const;

/** The rule about gangs, which says why it matters that a part of the pods has no node. */
export const GANG_RULE = 'KARP-323';

/**
 * One outcome for each workload: a finding if the plan leaves pods of it without a node and the rule reports this
 * kind of refusal. The first such pod decides the kind for all pods of the workload.
 *
 * @param isReported whether the rule reports pods that the NodePools refuse for these reasons
 */
export function unscheduledPodOutcomes(
  context: RuleContext,
  isReported: (reasons: readonly PoolRefusal[]) => boolean,
): Outcome[] {
  const { model, plan } = context;
  if (plan.pools.length === 0) return [];
  const unknown = objectsNotEvaluated(model).unknownPools;
  const unschedulable = byGroup(plan.unschedulable);
  const unevaluated = new Map(plan.notEvaluated.map(({ group, causes }) => [group, causes]));
  return model.workloads.flatMap((workload): Outcome[] => {
    const groups = podGroupIndices(workload);
    if (workload.shape === undefined || groups.length === 0 || (targetsOtherNodes(model, workload) && !model.cluster))
      return [];
    const pending = groups.flatMap((group) => unschedulable.get(group) ?? []);
    const [why] = groups.flatMap((group) => (unevaluated.has(group) ? [unevaluated.get(group)!] : []));
    if (pending.length > 0 && unknown.length > 0)
      return [notEvaluated(workload.object, `its nodes may come from ${listText(unknown, 'or')}`)];
    // KARP-106 has a note about them.
    if (pending.length > 0 && dedicatedNodesOf(model, workload) !== undefined) return [];
    // KARP-211 warns that Karpenter launches no node for them.
    if (pending.length > 0 && isRefusedByConstraints(pending[0].reasons) && isForOrdinaryNodes(context, workload))
      return [];
    if (pending.length > 0 && isReported(pending[0].reasons)) return [finding(workload, pending, context)];
    return [
      why === undefined
        ? pass(workload.object)
        : notEvaluated(workload.object, `its pods are not evaluated: ${listText(why)}`),
    ];
  });
}

/** The smallest change with which pending pods of the workload fit, if one was found by trying. */
export function triedRemedy(
  context: RuleContext,
  workload: WorkloadManifest,
): Partial<Remedy> & Pick<RuleFinding, 'related'> & { readonly isTypo?: boolean } {
  const groups = new Set(podGroupIndices(workload));
  const pending = context.plan.unschedulable.find(({ group }) => groups.has(group));
  const change = pending && smallestFittingChanges(context).get(pending.group);
  return {
    remedy: change?.description,
    isTypo: change?.isTypo,
    ...editsOf(workload.object, change),
    related: blockingOf(context, pending, change)?.field,
  };
}

/** The field of a NodePool that refuses the pod. */
function blockingOf(
  context: RuleContext,
  pod: UnschedulablePod | undefined,
  change: FittingChange | undefined,
): BlockingField | undefined {
  return pod && blockingField(context, context.lastInput.pods[pod.group].shape, pod.reasons, change);
}

function byGroup(pods: readonly UnschedulablePod[]): Map<number, UnschedulablePod[]> {
  const groups = new Map<number, UnschedulablePod[]>();
  for (const pod of pods) {
    const podsOfGroup = groups.get(pod.group);
    if (podsOfGroup) podsOfGroup.push(pod);
    else groups.set(pod.group, [pod]);
  }
  return groups;
}

function finding(workload: WorkloadManifest, pending: readonly UnschedulablePod[], context: RuleContext): Outcome {
  const { running = 0, replicas } = workload;
  const [{ pod, group, reasons: refusals }] = pending;
  const change = smallestFittingChanges(context).get(group);
  const reasons = withUnreadyPool(refusals, change);
  const wanted = replicas - running;
  const other = isRefusedByConstraints(refusals) ? nodeGroupFor(context.model, workload) : undefined;
  const [it, stays] = wanted === 1 || pending.length === 1 ? ['it', 'it stays'] : ['they', 'they stay'];
  const outcome = other === undefined ? `so ${stays} Pending` : `and ${it} can only run if ${other} has room`;
  // Karpenter ignores such pods before it looks at NodePools.
  const unknownValue = reasons.some(({ nodePool }) => nodePool === '') ? unknownValueOf(workload) : undefined;
  const { shape } = context.lastInput.pods[group];
  const blocking = unknownValue === undefined ? blockingOf(context, pending[0], change) : undefined;
  const fixed = editsOf(workload.object, change).fix?.edits[0].path;
  const edited = fixed?.slice(0, workload.podPath.length).join() === workload.podPath.join() ? fixed : undefined;
  const constraint = blocking?.label === undefined ? undefined : constraintPath(workload, shape, blocking.label);
  return fail({
    object: workload.object,
    path: unknownValue?.path ?? constraint ?? edited ?? workload.podPath,
    message: `${podsText(pending.length, wanted)} on no node${other === undefined ? '' : ' of Karpenter'}, ${outcome}${reasonsText(
      meantReasons(reasons, shape),
    )}`,
    remedy: writtenAs(workload, change?.description) ?? otherSystemRemedy(shape, reasons) ?? remedyOf(pod, reasons),
    evidence: {
      pods: pending.length,
      of: wanted,
      reasons: reasons.map(({ nodePool, message }) => ({ nodePool, message })),
      smallestChange: change?.description ?? null,
    },
    ...(unknownValue?.fix === undefined ? editsOf(workload.object, change) : { fix: unknownValue.fix }),
    ...(blocking === undefined ? {} : { related: blocking.field }),
    ...(other === undefined ? {} : { severity: 'info' as const }),
  });
}

/** A JobSet writes the affinity of its pods as an annotation. */
function writtenAs({ object: { madeBy } }: WorkloadManifest, remedy: string | undefined): string | undefined {
  return madeBy !== undefined && hasExclusiveTopology(madeBy)
    ? remedy?.replace('in the pod affinity', 'in the annotation exclusive-topology')
    : remedy;
}

/** The change as edits of the workload and of other objects. */
function editsOf(object: ManifestObject, change: FittingChange | undefined): Pick<RuleFinding, 'fix' | 'also'> {
  const edits = change?.edits ?? [];
  return {
    fix: edits.find((edit) => edit.object === object)?.fix,
    also: edits.filter((edit) => edit.object !== object),
  };
}

/** The refusals, with the NodePool that the pods wait for. */
export function withUnreadyPool(
  reasons: readonly PoolRefusal[],
  change: FittingChange | undefined,
): readonly PoolRefusal[] {
  const pool = change?.waitsFor;
  if (pool === undefined || pool.remedy !== undefined) return reasons;
  const others = reasons.filter(({ nodePool }) => nodePool !== pool.name);
  return [
    { nodePool: pool.name, message: `the NodePool launches no nodes: ${pool.why}`, independentOfSize: true },
    ...others,
  ];
}

/** The refusals of the NodePools that the pod selects by name, if it does; otherwise all of them. */
function meantReasons(reasons: readonly PoolRefusal[], shape: PodShape): readonly PoolRefusal[] {
  const pinned = pinnedPools(shape);
  const meant = reasons.filter(({ nodePool }) => pinned?.includes(nodePool));
  return meant.length > 0 ? meant : reasons;
}

/** Images run on the operating system for which they are built: pods for another one need nodes of their own. */
function otherSystemRemedy(shape: PodShape, reasons: readonly PoolRefusal[]): string | undefined {
  const wanted = [...SYSTEMS].find(([os]) => isSelecting(shape, os));
  if (wanted === undefined) return undefined;
  const [os, [alias, other]] = wanted;
  return reasons.some(({ diagnosis = '' }) => diagnosis.includes(`${Label.OS} In [${os}]`))
    ? `add a NodePool for them whose EC2NodeClass has an alias such as ${alias}@<version>: nodes of these NodePools run ${other}`
    : undefined;
}

/** The alias of an AMI for each operating system, and the other system. */
const SYSTEMS: ReadonlyMap<string, readonly [alias: string, other: string]> = new Map([
  ['windows', ['windows2022', 'Linux']],
  ['linux', ['al2023', 'Windows']],
]);

function isSelecting(shape: PodShape, os: string): boolean {
  return requirementAlternatives(shape).some((specs) =>
    specs.some(({ key, operator, values = [] }) => key === Label.OS && operator === 'In' && values.join() === os),
  );
}

/** Remedy if no change was tried or none helps. A refusal without a NodePool means that Karpenter ignores the pod. */
function remedyOf(pod: string, reasons: readonly PoolRefusal[]): string {
  const ignored = reasons.find(({ nodePool, independentOfSize }) => nodePool === '' && independentOfSize);
  if (ignored !== undefined) return ignoredPodRemedy(ignored.message);
  if (reasons.some(({ diagnosis = '' }) => diagnosis.startsWith(ONLY_PENDING_PODS)))
    return 'let the pods that its pod affinity selects have a node first: they have a finding of their own';
  return `let a NodePool launch nodes for them; \`karpenter-constructs explain --pod ${pod}\` shows step by step why none does`;
}

function podsText(pending: number, wanted: number): string {
  if (wanted === 1) return 'its pod fits';
  return pending === wanted
    ? `its ${wanted} pods fit`
    : `${pending} of its ${wanted} pods ${pending === 1 ? 'fits' : 'fit'}`;
}

function reasonsText(reasons: readonly PoolRefusal[]): string {
  const texts = reasons
    .slice(0, MAX_REFUSALS)
    .map(
      ({ nodePool, message, diagnosis }) =>
        `${nodePool === '' ? '' : `NodePool ${nodePool}: `}${diagnosis ?? message.replace(/, requirements=.*/s, '')}`,
    );
  const rest = reasons.length - MAX_REFUSALS;
  const more = rest > 0 ? `; ${rest} more ${rest === 1 ? 'NodePool refuses' : 'NodePools refuse'} the pod` : '';
  return texts.length === 0 ? '' : `: ${texts.join('; ')}${more}`;
}
