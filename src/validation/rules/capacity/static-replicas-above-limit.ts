import { asRecord, isGateEnabled, setField, unsafeFix } from '../../../contract';
import { Quantity, valueText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { Pool } from '../common/pool';
import { defineRule } from '../define-rule';
import { pools } from '../subjects';

/**
 * Karpenter launches nodes of a static NodePool up to the limit. It replaces a drifted node only below the limit.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export const staticReplicasAboveLimit = defineRule({
  id: 'KARP-321',
  name: 'static-replicas-above-limit',
  severity: 'warning',
  summary:
    'A static NodePool has more replicas than its limit of nodes: Karpenter launches only as many nodes as the limit.',
  subjects: pools({
    // While the gate is off, Karpenter launches no static node at all.
    where: ({ autoMode, object }, { options }) =>
      isGateEnabled(options.featureGates, 'StaticCapacity') && !autoMode && staticSizeOf(object) !== undefined,
    unknown: (pool) => (limitOf(pool) === undefined ? pool.why : undefined),
  }),
  judge(pool, { options }) {
    const { replicas } = staticSizeOf(pool.object)!;
    const limit = limitOf(pool)!;
    // A limit of 0 disables the NodePool, which KARP-310 reports.
    if (limit === 0n || BigInt(replicas) <= limit) return undefined;
    const nodes = `${limit} ${limit === 1n ? 'node' : 'nodes'}`;
    const replacesDrifted = isGateEnabled(options.featureGates, 'TerminateFirstDrift');
    return {
      path: ['spec', 'replicas'],
      message: `has ${replicas} replicas, but its limits allow ${nodes}: Karpenter launches only ${nodes}${
        replacesDrifted ? '' : ', and replaces none when it drifts'
      }`,
      remedy: `raise limits.nodes above replicas, to ${replicas + 1} or more, so that a drifted node can be replaced, or lower replicas`,
      evidence: { replicas, nodes: Number(limit) },
      fix: unsafeFix(setField(['spec', 'limits', 'nodes'], valueText(replicas + 1))),
    };
  },
});

/** The replicas and the limit of nodes, as written. Undefined unless a static NodePool has such a limit. */
function staticSizeOf({ raw }: ManifestObject): { readonly replicas: number; readonly nodes: unknown } | undefined {
  const { replicas, limits } = asRecord(raw.spec) ?? {};
  const nodes = asRecord(limits)?.nodes;
  return typeof replicas === 'number' && nodes !== undefined ? { replicas, nodes } : undefined;
}

function limitOf({ object, spec }: Pool): bigint | undefined {
  return spec === undefined ? undefined : Quantity.tryParse(staticSizeOf(object)?.nodes)?.value();
}
