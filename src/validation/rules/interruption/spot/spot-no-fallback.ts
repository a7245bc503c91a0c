import { fallbackBehindPin } from './fallback-defeated-by-pin';
import { launchesOnlySpot, NON_SPOT_CAPACITY_TYPES, OnDemandFallbacks } from './on-demand-fallback';
import { FieldFix, setField, unsafeFix } from '../../../../contract';
import { Label, memoizeByIdentity, shortListText } from '../../../../model';
import { PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { workloadsByPool } from '../../common/placements';
import { requirementAlternatives } from '../../common/pod-constraints';
import { Pool, poolsOf } from '../../common/pool';
import { defineRule, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { pools } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/nodepools/ */
export const spotNoFallback = defineRule({
  id: 'KARP-516',
  name: 'spot-no-fallback',
  severity: 'info',
  summary:
    'A NodePool launches only spot, and no NodePool runs its pods on demand: without spot capacity they stay Pending.',
  subjects: pools({
    where: (pool, context) => launchesOnlySpot(pool) && workloadsWithChoice(pool, context).length > 0,
  }),
  judge(pool, context) {
    const fallbacks = fallbacksIn(context);
    const answers = workloadsWithChoice(pool, context).map((workload) => ({
      workload,
      ...fallbacks.for(workload.shape!),
    }));
    const without = answers
      .filter(({ exists }) => exists === 'no')
      .map(({ workload: { kind, name } }) => `${kind} ${name}`)
      .sort();
    const undecided = answers.find(({ exists }) => exists === 'unknown');
    if (without.length === 0) return undecided ? unknown(undecided.why!) : undefined;
    return {
      path: ['spec', 'template', 'spec', 'requirements'],
      message: `launches only spot, and no NodePool runs ${shortListText(without)} on demand: without spot capacity their pods stay Pending`,
      remedy: `write ${Label.CAPACITY_TYPE} In [spot, on-demand]: Karpenter uses on-demand only if spot is unavailable; or add an on-demand NodePool of lower weight`,
      evidence: { workloads: without },
      fix: bothCapacityTypes(pool),
    };
  },
});

/** Undefined if the NodePool does not list the capacity types. */
function bothCapacityTypes({ object }: Pool): FieldFix | undefined {
  const requirements = recordsOf(object.raw.spec?.template?.spec?.requirements);
  const index = requirements.findIndex(({ key, operator }) => key === Label.CAPACITY_TYPE && operator === 'In');
  const path = ['spec', 'template', 'spec', 'requirements', index, 'values'];
  return index < 0 ? undefined : unsafeFix(setField(path, ['spot', 'on-demand']));
}

const fallbacksIn = memoizeByIdentity((context: RuleContext) => new OnDemandFallbacks(poolsOf(context)));

/** The workloads on nodes of the NodePool that do not insist on spot. */
function workloadsWithChoice(pool: Pool, context: RuleContext): WorkloadManifest[] {
  return (workloadsByPool(context).get(pool.name) ?? []).filter(
    // KARP-518 reports pods that are kept away from the fallback by the name of a NodePool.
    (workload) =>
      workload.kind !== 'DaemonSet' &&
      workload.shape !== undefined &&
      !requiresSpot(workload.shape) &&
      fallbackBehindPin(workload, context) === undefined,
  );
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
