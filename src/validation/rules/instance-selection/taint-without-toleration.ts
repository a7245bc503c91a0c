import { uncountedObjectThatTolerates } from './uncounted-tolerations';
import { AGENT_STARTUP_TAINTS, appendItem, FieldFix, FieldPath, removeField, unsafeFix } from '../../../contract';
import {
  countText,
  formatTaint,
  listText,
  nearestName,
  shortListText,
  Taint,
  Toleration,
  untolerated,
} from '../../../model';
import { PodShape } from '../../../scheduling';
import { AUTO_MODE_NODE_POOLS } from '../../eks-auto-mode';
import { pinnedPools, smallestFittingChanges } from '../../explain/fitting-changes';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { taintField } from '../common/blocking-field';
import { isForOrdinaryNodes, nodeGroupFor, targetsOtherNodes } from '../common/other-nodes';
import { allPodsHaveNodes } from '../common/placements';
import {
  blockingTaints,
  commonRequirements,
  hasExtendedResources,
  requirementAlternatives,
  unresolvedConstraint,
} from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { idleSeverityOf } from '../common/replicas';
import { triedRemedy } from '../common/unscheduled-pods';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

const TAINTS: FieldPath = ['spec', 'template', 'spec', 'taints'];

interface TaintedPool {
  readonly pool: Pool;
  /** Taints that the pods do not tolerate; at least one. */
  readonly taints: readonly Taint[];
}

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespectaints */
export const taintWithoutToleration: Rule = {
  id: 'KARP-211',
  name: 'taint-without-toleration',
  severity: 'error',
  summary:
    'A workload does not tolerate the taints of any NodePool that it could use, or no workload tolerates those of a NodePool.',
  check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    if (pools.length === 0) {
      return [];
    }
    const workloads = context.model.workloads.filter(
      (workload) =>
        workload.kind !== 'DaemonSet' && workload.shape !== undefined && !targetsOtherNodes(context.model, workload),
    );
    const outcomes = workloads.flatMap((workload) => checkWorkload(context, workload, pools));
    // The finding about these pods names the taints.
    const isNamed = ({ object }: Pool) => outcomes.some((outcome) => namesTaintsOf(outcome, object.name));
    return [
      ...outcomes,
      ...(workloads.length > 0
        ? pools.filter((pool) => !isNamed(pool)).flatMap((pool) => checkPool(context, pool, workloads))
        : []),
    ];
  },
};

function checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: readonly Pool[]): Outcome[] {
  const { object } = workload;
  const shape = workload.shape!;
  const unknown = unresolvedConstraint(workload);
  if (unknown !== undefined) {
    return [notEvaluated(object, `the value of ${unknown} is known only at deployment`)];
  }
  const allowed = pools.filter((pool) => pool.spec !== undefined && commonRequirements(shape, pool).length > 0);
  const equipped = allowed.filter((pool) => hasExtendedResources(pool, shape));
  // A pod with a GPU is meant for NodePools with GPUs. If there are none, KARP-301 reports the pod.
  const candidates = equipped.length > 0 ? equipped : allowed;
  const tainted = candidates.flatMap((pool): TaintedPool[] => {
    const taints = blockingTaints(shape, pool.spec!.taints);
    return taints.length === 0 ? [] : [{ pool, taints }];
  });
  if (tainted.length < candidates.length || allPodsHaveNodes(context, workload)) {
    return [pass(object)];
  }
  const ofAutoMode = pools.find(({ autoMode }) => autoMode);
  if (ofAutoMode !== undefined && mayUseBuiltInPools(shape)) {
    return [
      notEvaluated(
        object,
        `a built-in NodePool of EKS Auto Mode, which launches the nodes of NodePool ${ofAutoMode.name}, may accept its pods`,
      ),
    ];
  }
  const unusable = pools.find(({ spec }) => spec === undefined);
  if (unusable !== undefined) {
    return [notEvaluated(object, `NodePool ${unusable.name} may accept its pods: ${unusable.why}`)];
  }
  return tainted.length === 0 ? [] : [workloadFinding(context, workload, tainted, allowed.length > candidates.length)];
}

function namesTaintsOf(outcome: Outcome, pool: string): boolean {
  return (
    outcome.state === 'fail' && recordsOf(outcome.finding.evidence.refusals).some(({ nodePool }) => nodePool === pool)
  );
}

function checkPool(context: RuleContext, pool: Pool, workloads: readonly WorkloadManifest[]): Outcome[] {
  const taints = (pool.spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (taints.length === 0) {
    return [];
  }
  if (workloads.some(({ shape }) => blockingTaints(shape!, taints).length === 0)) {
    return [pass(pool.object)];
  }
  const unresolved = workloads.find((workload) => unresolvedConstraint(workload) !== undefined);
  if (unresolved !== undefined) {
    return [
      notEvaluated(
        pool.object,
        `the tolerations of ${unresolved.kind} ${unresolved.name} are known only at deployment`,
      ),
    ];
  }
  const uncounted = uncountedObjectThatTolerates(context.model, taints);
  if (uncounted !== undefined) {
    return [
      notEvaluated(
        pool.object,
        `${uncounted.kind} ${uncounted.name} tolerates its taints, but its pods are not counted`,
      ),
    ];
  }
  // The finding about these pods names the taint.
  return isPartOfRemedy(context, taints) ? [] : [poolFinding(pool, taints, workloads, poolsOf(context))];
}

/** Whether the pods select no NodePool by name, or a built-in one of EKS Auto Mode. These are in no manifest. */
function mayUseBuiltInPools(shape: PodShape): boolean {
  const pinned = pinnedPools(shape);
  return pinned === undefined || pinned.some((name) => AUTO_MODE_NODE_POOLS.includes(name));
}

/** Whether a change that lets pending pods fit tolerates the taints. */
function isPartOfRemedy(context: RuleContext, taints: readonly Taint[]): boolean {
  if (context.plan.unschedulable.length === 0) return false;
  const descriptions = [...smallestFittingChanges(context).values()].map(({ description = '' }) => description);
  return taints.every((taint) => descriptions.some((description) => description.includes(formatTaint(taint))));
}

/**
 * @param othersLackResources whether other NodePools would accept the pods, but have no instance type with their
 * resources
 */
function workloadFinding(
  context: RuleContext,
  workload: WorkloadManifest,
  tainted: readonly TaintedPool[],
  othersLackResources: boolean,
): Outcome {
  const { severity, note } = idleSeverityOf(context.model, workload);
  const named = tainted.map(({ pool, taints }) => `NodePool ${pool.name} has ${listText(taints.map(formatTaint))}`);
  const which = `${tainted.length === 1 ? 'the only NodePool' : `the ${tainted.length} NodePools`} that ${
    othersLackResources
      ? `${tainted.length === 1 ? 'has' : 'have'} instance types with the resources that they request`
      : 'their node selector and affinity allow'
  }`;
  const { remedy, related, isTypo, ...edits } = triedRemedy(context, workload);
  const blocking = related ?? (tainted.length === 1 ? taintField(tainted[0].pool, workload.shape!)?.field : undefined);
  const other = nodeGroupFor(context.model, workload);
  const mayRunElsewhere = other === undefined && isForOrdinaryNodes(context, workload);
  return fail({
    object: workload.object,
    path: (isTypo && misspeltToleration(workload, edits)) || [...workload.podPath, 'tolerations'],
    message: `its pods do not tolerate the taints of ${which} (${shortListText(named)}): Karpenter launches no node for them${outcomeText(other, mayRunElsewhere)}${note}`,
    remedy: remedyOf(remedy, tainted),
    evidence: {
      refusals: tainted.map(({ pool, taints }) => ({ nodePool: pool.name, taints: taints.map(formatTaint) })),
    },
    ...edits,
    ...(blocking === undefined ? {} : { related: blocking }),
    severity: other !== undefined ? 'info' : mayRunElsewhere ? (severity ?? 'warning') : severity,
  });
}

/** The field of a toleration that the remedy corrects. */
function misspeltToleration(
  { podPath }: WorkloadManifest,
  { fix }: { readonly fix?: FieldFix },
): FieldPath | undefined {
  const [path, ...others] = fix?.edits.map((edit) => edit.path) ?? [];
  const isWithin = path?.length === podPath.length + 3 && path[podPath.length] === 'tolerations';
  return isWithin && others.length === 0 ? path : undefined;
}

function outcomeText(nodeGroup: string | undefined, mayRunElsewhere: boolean): string {
  if (nodeGroup !== undefined) return `, and they run only if ${nodeGroup} has room`;
  return mayRunElsewhere ? ', and they wait unless the cluster has other nodes' : ', so they stay Pending';
}

/** The change that was tried. If it is only a toleration, the text has the toleration as a manifest writes it. */
function remedyOf(tried: string | undefined, tainted: readonly TaintedPool[]): string {
  const tolerated = tainted.find(({ taints }) => tried === `tolerate ${listText(taints.map(formatTaint))}`);
  if (tolerated !== undefined) return `${tried}: add ${tolerationsText(tolerated.taints)}`;
  const [{ pool, taints }] = tainted;
  return (
    tried ??
    `add a NodePool without ${taints.length === 1 ? 'this taint' : 'these taints'} for them, or, if they belong on nodes of NodePool ${pool.name}, ${tolerationsText(taints)}`
  );
}

/** Taints that agents remove from nodes are for nodes that start. Karpenter counts them for ever in `taints`. */
function agentTaintsFinding({ object }: Pool, taints: readonly Taint[]): Outcome | undefined {
  const agents = AGENT_STARTUP_TAINTS.filter(({ key }) => taints.some((taint) => taint.key === key));
  if (agents.length !== 1 || taints.length !== 1) return undefined;
  const [{ agent, key }] = agents;
  const written = recordsOf(object.raw.spec?.template?.spec?.taints);
  const index = written.findIndex((taint) => taint.key === key);
  return fail({
    object,
    path: [...TAINTS, index, 'key'],
    message: `${agent} removes ${key} from new nodes, but in taints Karpenter counts it for ever: the NodePool launches no nodes for pods that do not tolerate it`,
    remedy: 'move the taint to startupTaints',
    evidence: { taints: taints.map(formatTaint) },
    severity: 'warning',
    fix: unsafeFix(
      appendItem(['spec', 'template', 'spec', 'startupTaints'], written[index]),
      removeField(written.length === 1 ? TAINTS : [...TAINTS, index]),
    ),
  });
}

/** Only a note, unless a toleration was likely meant for the taint: the pods may come from another input. */
function poolFinding(
  pool: Pool,
  taints: readonly Taint[],
  workloads: readonly WorkloadManifest[],
  pools: readonly Pool[],
): Outcome {
  const otherTaints = pools.filter((other) => other !== pool).flatMap(({ spec }) => spec?.taints ?? []);
  const isForOthers = (toleration: Toleration, shape: PodShape) =>
    otherTaints.some((taint) => untolerated([taint], [toleration]).length === 0) || isSelected(toleration, shape);
  const nearOf = ({ shape }: WorkloadManifest) =>
    shape!.tolerations.find(
      (toleration) =>
        taints.some((taint) => isNear(toleration.key ?? '', taint.key)) && !isForOthers(toleration, shape!),
    );
  const ofAgents = agentTaintsFinding(pool, taints);
  if (ofAgents !== undefined) return ofAgents;
  const meant = workloads.find((workload) => nearOf(workload) !== undefined);
  const tolerated = meant && nearOf(meant);
  return fail({
    object: pool.object,
    path: TAINTS,
    message:
      `none of the ${countText(workloads.length, 'workload')} here tolerates its ${taints.length === 1 ? 'taint' : `${taints.length} taints`} ` +
      `(${shortListText(taints.map(formatTaint))}): the NodePool launches no nodes for them` +
      `${meant === undefined || tolerated === undefined ? '' : `; ${meant.kind} ${meant.name} tolerates ${tolerationText(tolerated)}`}`,
    remedy: `add ${tolerationsText(taints)} to the pods for this NodePool, or remove the ${taints.length === 1 ? 'taint' : 'taints'}`,
    evidence: { taints: taints.map(formatTaint), workloads: workloads.length },
    severity: meant === undefined ? 'info' : 'warning',
  });
}

/** Whether the pods also select nodes by the key and the value, so that the toleration is as it was meant. */
function isSelected({ key = '', value }: Toleration, shape: PodShape): boolean {
  return requirementAlternatives(shape).some((specs) =>
    specs.some((spec) => spec.key === key && spec.operator === 'In' && spec.values?.includes(value ?? '')),
  );
}

/** Whether a key is that of the taint, with another value or effect, or is the key with a typo. */
function isNear(key: string, taintKey: string): boolean {
  return key === taintKey || nearestName(key, [taintKey]) !== undefined;
}

function tolerationsText(taints: readonly Taint[]): string {
  return `${taints.length === 1 ? 'the toleration' : 'the tolerations'} ${listText(taints.map(tolerationText))}`;
}

/** As a manifest has it. */
function tolerationText({ key, value, effect }: Pick<Toleration, 'key' | 'value' | 'effect'>): string {
  const match = value === undefined || value === '' ? 'operator: Exists' : `operator: Equal, value: "${value}"`;
  return `{key: ${key}, ${match}${effect === undefined ? '' : `, effect: ${effect}`}}`;
}
