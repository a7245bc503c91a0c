import { launchesOnlySpot, NON_SPOT_CAPACITY_TYPES, OnDemandFallbacks } from './on-demand-fallback';
import { Label } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { workloadsByPool } from '../../common/placements';
import { requirementAlternatives } from '../../common/pod-constraints';
import { Pool, poolsOf } from '../../common/pool';
import { someNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://karpenter.sh/docs/concepts/nodepools/ */
export const spotNoFallback: Rule = {
  id: 'KARP-516',
  name: 'spot-no-fallback',
  severity: 'info',
  summary:
    'A NodePool launches only spot, and no NodePool runs its pods on demand: without spot capacity they stay Pending.',
  check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    const workloads = workloadsByPool(context);
    const fallbacks = new OnDemandFallbacks(pools);
    return pools.flatMap((pool) => {
      const ownWorkloads = (workloads.get(pool.name) ?? []).filter(
        ({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined && !requiresSpot(shape),
      );
      return launchesOnlySpot(pool) && ownWorkloads.length > 0 ? [checkPool(pool, ownWorkloads, fallbacks)] : [];
    });
  },
};

function checkPool({ object }: Pool, workloads: readonly WorkloadManifest[], fallbacks: OnDemandFallbacks): Outcome {
  const answers = workloads.map((workload) => ({ workload, ...fallbacks.for(workload.shape!) }));
  const without = answers
    .filter(({ exists }) => exists === 'no')
    .map(({ workload: { kind, name } }) => `${kind} ${name}`)
    .sort();
  const unknown = answers.find(({ exists }) => exists === 'unknown');
  if (without.length === 0) return unknown ? notEvaluated(object, unknown.why!) : pass(object);
  return fail({
    object,
    path: ['spec', 'template', 'spec', 'requirements'],
    message: `launches only spot, and no NodePool runs ${someNames(without)} on demand: without spot capacity their pods stay Pending`,
    remedy: `write ${Label.CAPACITY_TYPE} In [spot, on-demand]: Karpenter uses on-demand only if spot is unavailable; or add an on-demand NodePool of lower weight`,
    evidence: { workloads: without },
  });
}

/** Whether the pod itself requires spot: it is meant to wait for spot capacity. */
function requiresSpot(shape: PodShape): boolean {
  return requirementAlternatives(shape).every((specs) =>
    specs.some(
      ({ key, operator, values = [] }) =>
        key === Label.CAPACITY_TYPE &&
        operator === 'In' &&
        !values.some((value) => NON_SPOT_CAPACITY_TYPES.includes(value)),
    ),
  );
}
