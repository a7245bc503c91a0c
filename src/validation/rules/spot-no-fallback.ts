import { Label } from '../../model';
import { PodShape } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { isSpotAlone, LASTING_CAPACITY, OnDemandFallbacks } from './private/on-demand-fallback';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { alternatives } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/nodepools/ */
export class SpotNoFallback implements Rule {
  public readonly id = 'KARP-516';
  public readonly name = 'spot-no-fallback';
  public readonly severity = 'info';
  public readonly summary = 'A NodePool launches spot alone, and no other one takes its pods on demand: without spot capacity they stay Pending.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const workloads = workloadsByPool(context);
    const fallbacks = new OnDemandFallbacks(pools);
    return pools.flatMap((pool) => {
      const own = (workloads.get(pool.name) ?? []).filter(({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined && !wantsSpot(shape));
      return isSpotAlone(pool) && own.length > 0 ? [this.checkPool(pool, own, fallbacks)] : [];
    });
  }

  private checkPool({ object }: Pool, workloads: readonly WorkloadManifest[], fallbacks: OnDemandFallbacks): Outcome {
    const answers = workloads.map((workload) => ({ workload, ...fallbacks.for(workload.shape!) }));
    const without = answers.filter(({ exists }) => exists === 'no').map(({ workload: { kind, name } }) => `${kind} ${name}`).sort();
    const unknown = answers.find(({ exists }) => exists === 'unknown');
    if (without.length === 0) return unknown ? notEvaluated(object, unknown.why!) : pass(object);
    return fail({
      object,
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `launches spot alone, and no NodePool takes ${someNames(without)} on demand: when EC2 has no spot capacity of any type, they stay Pending`,
      remedy: `let it launch on-demand too, ${Label.CAPACITY_TYPE} In [spot, on-demand], which Karpenter uses only where spot is not to be had; or add a NodePool of less weight for it`,
      evidence: { workloads: without },
    });
  }
}

/** What asks for spot itself is meant to wait for it. */
function wantsSpot(shape: PodShape): boolean {
  return alternatives(shape).every((specs) => specs.some(({ key, operator, values = [] }) =>
    key === Label.CAPACITY_TYPE && operator === 'In' && !values.some((value) => LASTING_CAPACITY.includes(value))));
}
