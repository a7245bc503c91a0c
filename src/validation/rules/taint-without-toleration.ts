import { formatTaint, Taint } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { haveNodes } from './private/placements';
import { commonRequirements, refusingTaints, targetsOtherNodes, unresolvedConstraint } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { Weight, weightOf } from './private/without-pods';
import { count, joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

interface Refusal {
  readonly pool: Pool;
  /** Those that the pods do not tolerate; at least one. */
  readonly taints: readonly Taint[];
}

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespectaints */
export class TaintWithoutToleration implements Rule {
  public readonly id = 'KARP-211';
  public readonly name = 'taint-without-toleration';
  public readonly severity = 'error';
  public readonly summary = 'Every NodePool that a workload could use has a taint that its pods do not tolerate, or a NodePool has a taint that nothing tolerates.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    if (pools.length === 0) {
      return [];
    }
    const workloads = context.model.workloads.filter((workload) =>
      workload.kind !== 'DaemonSet' && workload.shape !== undefined && !targetsOtherNodes(workload));
    return [
      ...workloads.flatMap((workload) => this.checkWorkload(context, workload, pools)),
      ...(workloads.length > 0 ? pools.flatMap((pool) => this.checkPool(pool, workloads)) : []),
    ];
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: readonly Pool[]): Outcome[] {
    const { object } = workload;
    const shape = workload.shape!;
    const unknown = unresolvedConstraint(workload);
    if (unknown !== undefined) {
      return [notEvaluated(object, `the value of ${unknown} is known only at deployment`)];
    }
    const candidates = pools.filter((pool) => pool.spec !== undefined && commonRequirements(shape, pool).length > 0);
    const refusals = candidates.flatMap((pool): Refusal[] => {
      const taints = refusingTaints(shape, pool.spec!.taints);
      return taints.length === 0 ? [] : [{ pool, taints }];
    });
    if (refusals.length < candidates.length || haveNodes(context, workload)) {
      return [pass(object)];
    }
    const unusable = pools.find(({ spec }) => spec === undefined);
    if (unusable !== undefined) {
      return [notEvaluated(object, `NodePool ${unusable.name} may take its pods: ${unusable.why}`)];
    }
    return refusals.length === 0 ? [] : [workloadFinding(workload, refusals, weightOf(context.model, workload))];
  }

  private checkPool(pool: Pool, workloads: readonly WorkloadManifest[]): Outcome[] {
    const taints = (pool.spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
    if (taints.length === 0) {
      return [];
    }
    if (workloads.some(({ shape }) => refusingTaints(shape!, taints).length === 0)) {
      return [pass(pool.object)];
    }
    const unresolved = workloads.find((workload) => unresolvedConstraint(workload) !== undefined);
    if (unresolved !== undefined) {
      return [notEvaluated(pool.object, `the tolerations of ${unresolved.kind} ${unresolved.name} are known only at deployment`)];
    }
    return [poolFinding(pool, taints, workloads.length)];
  }
}

function workloadFinding(workload: WorkloadManifest, refusals: readonly Refusal[], { severity, note }: Weight): Outcome {
  const named = refusals.map(({ pool, taints }) => `NodePool ${pool.name} has ${joinNames(taints.map(formatTaint))}`);
  return fail({
    object: workload.object,
    path: [...workload.podPath, 'tolerations'],
    message: `its pods do not tolerate the taints of ${refusals.length === 1 ? 'the only NodePool' : `any of the ${refusals.length} NodePools`} `
      + `that their node selector and affinity allow (${someNames(named)}): Karpenter launches nothing for them, and they stay Pending${note}`,
    remedy: `add ${tolerationsText(refusals[0].taints)}, or let another NodePool take these pods`,
    evidence: { refusals: refusals.map(({ pool, taints }) => ({ nodePool: pool.name, taints: taints.map(formatTaint) })) },
    severity,
  });
}

function poolFinding(pool: Pool, taints: readonly Taint[], workloads: number): Outcome {
  return fail({
    object: pool.object,
    path: ['spec', 'template', 'spec', 'taints'],
    message: `has ${count(taints.length, 'taint')} (${someNames(taints.map(formatTaint))}) that none of the ${count(workloads, 'workload')} here tolerates`
      + ': the NodePool is never used by them',
    remedy: `add ${tolerationsText(taints)} to the pods that are meant for it, or drop the ${taints.length === 1 ? 'taint' : 'taints'}`,
    evidence: { taints: taints.map(formatTaint), workloads },
    severity: 'warning',
  });
}

function tolerationsText(taints: readonly Taint[]): string {
  return `${taints.length === 1 ? 'a toleration' : 'tolerations'} of ${joinNames(taints.map(tolerationText))}`;
}

/** In the form that a manifest takes. */
function tolerationText({ key, value, effect }: Taint): string {
  const match = value === undefined || value === '' ? 'operator: Exists' : `operator: Equal, value: "${value}"`;
  return `{key: ${key}, ${match}, effect: ${effect}}`;
}
