import { setField, unsafeFix } from '../../../contract';
import { formatAmount } from '../../../model';
import { podGroupIndices } from '../../context/schedule-input';
import { smallestFittingChanges } from '../../explain/fitting-changes';
import { LimitRaise } from '../../explain/low-limits';
import { limitShortfall } from '../../instance-types/limit-shortfall';
import { capacityOf } from '../../instance-types/node-fit';
import { amountsEvidence } from '../common/figures';
import { Pool } from '../common/pool';
import { defineRule } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

/**
 * Pods that need nothing but higher limits have one finding, at the limits. KARP-318 reports pods that also need
 * something else.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#speclimits
 */
export const limitsExhausted = defineRule({
  id: 'KARP-322',
  name: 'limits-exhausted',
  severity: 'error',
  summary: 'The limits of a NodePool are used up before all pods have a node: the rest of the pods stays Pending.',
  subjects: pools({
    // KARP-310 reports limits with which the NodePool never launches a node.
    where: (pool, context) => raiseOf(context, pool.name) !== undefined && !isBelowEachType(pool),
  }),
  judge({ name, object, spec }, context) {
    const raise = raiseOf(context, name)!;
    const [resource] = raise.raised.keys();
    return {
      path: ['spec', 'limits', resource],
      message: `${diagnosisOf(context, raise)}: the NodePool launches no more nodes`,
      remedy: raise.description,
      evidence: {
        limits: amountsEvidence(spec?.limits ?? new Map()),
        enough: amountsEvidence(raise.raised),
        nodePool: object.name,
      },
      fix: unsafeFix(
        ...[...raise.raised].map(([key, amount]) => setField(['spec', 'limits', key], formatAmount(key, amount))),
      ),
    };
  },
});

function isBelowEachType({ spec, launch }: Pool): boolean {
  if (spec === undefined || launch === undefined || [...spec.limits.values()].includes(0n)) return false;
  const { table, indices, view } = launch;
  const sizes = indices.map((index, position) => ({
    name: view.instanceTypes[position],
    capacity: capacityOf(table, index),
  }));
  return limitShortfall(spec.limits, sizes) !== undefined;
}

/** The raise for pods of manifests. Pods that only the cluster has are not the NodePool's fault. */
function raiseOf(context: RuleContext, nodePool: string): LimitRaise | undefined {
  const { model, plan } = context;
  if (plan.unschedulable.length === 0) return undefined;
  const ofManifests = new Set(model.workloads.flatMap(podGroupIndices));
  return [...smallestFittingChanges(context)].find(
    ([group, { raise }]) => raise?.nodePool === nodePool && ofManifests.has(group),
  )?.[1].raise;
}

/** 'limits.cpu has 0 of 4 left, and the smallest instance type, c5.large, has 2'. */
function diagnosisOf({ plan }: RuleContext, { nodePool, groups }: LimitRaise): string {
  const reasons = plan.unschedulable
    .filter(({ group }) => groups.has(group))
    .flatMap((pod) => pod.reasons)
    .filter((reason) => reason.nodePool === nodePool);
  const text = reasons.map(({ diagnosis }) => diagnosis).find((diagnosis) => diagnosis !== undefined);
  return text ?? 'its limits are used up';
}
