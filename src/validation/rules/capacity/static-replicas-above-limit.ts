import { asRecord, isGateEnabled, setField, unsafeFix } from '../../../contract';
import { Quantity } from '../../../model';
import { Pool, poolsOf } from '../common/pool';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/**
 * Karpenter launches nodes of a static NodePool up to the limit. It replaces a drifted node only below the limit.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export const staticReplicasAboveLimit: Rule = {
  id: 'KARP-321',
  name: 'static-replicas-above-limit',
  severity: 'warning',
  summary:
    'A static NodePool has more replicas than its limit of nodes: Karpenter launches only as many nodes as the limit.',
  check(context: RuleContext): Outcome[] {
    // While the gate is off, Karpenter launches no static node at all.
    const { featureGates } = context.options;
    if (!isGateEnabled(featureGates, 'StaticCapacity')) return [];
    const replacesDrifted = isGateEnabled(featureGates, 'TerminateFirstDrift');
    return poolsOf(context)
      .filter(({ autoMode }) => !autoMode)
      .flatMap((pool) => checkPool(pool, replacesDrifted));
  },
};

/** @param replacesDrifted whether Karpenter replaces a drifted node without room for a second one */
function checkPool({ object, spec, why }: Pool, replacesDrifted: boolean): Outcome[] {
  const { replicas, limits } = asRecord(object.raw.spec) ?? {};
  const written = asRecord(limits)?.nodes;
  if (typeof replicas !== 'number' || written === undefined) return [];
  const limit = spec === undefined ? undefined : Quantity.tryParse(written)?.value();
  if (limit === undefined) return [notEvaluated(object, why)];
  // A limit of 0 disables the NodePool, which KARP-310 reports.
  if (limit === 0n || BigInt(replicas) <= limit) return [pass(object)];
  const nodes = `${limit} ${limit === 1n ? 'node' : 'nodes'}`;
  return [
    fail({
      object,
      path: ['spec', 'replicas'],
      message: `has ${replicas} replicas, but its limits allow ${nodes}: Karpenter launches only ${nodes}${
        replacesDrifted ? '' : ', and replaces none when it drifts'
      }`,
      remedy: `raise limits.nodes above replicas, to ${replicas + 1} or more, so that a drifted node can be replaced, or lower replicas`,
      evidence: { replicas, nodes: Number(limit) },
      fix: unsafeFix(setField(['spec', 'limits', 'nodes'], String(replicas + 1))),
    }),
  ];
}
