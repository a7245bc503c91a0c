import { setField, unsafeFix } from '../../../contract';
import { countText, formatAmount, Label } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { capacityOf } from '../../instance-types/node-fit';
import { defineRule } from '../define-rule';
import { launchingPools, LaunchingPool } from '../subjects';

const NODES = 'nodes';

/**
 * Karpenter compares the limit of nodes with the nodes that exist before a batch of pods, and subtracts no node that it
 * plans for the batch.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go
 * addToNewNodeClaim and subtractMax
 */
export const nodeLimitOverrun = defineRule({
  id: 'KARP-432',
  name: 'node-limit-overrun',
  severity: 'warning',
  summary: 'One batch of pods gets more nodes than the limit of nodes of a NodePool.',
  subjects: launchingPools({
    where: ({ spec }) => spec !== undefined && spec.replicas === undefined && (spec.limits.get(NODES) ?? 0n) > 0n,
  }),
  judge(pool, { input, plan }) {
    const limit = pool.spec.limits.get(NODES)!;
    const claims = plan.nodeClaims.filter(({ nodePool }) => nodePool === pool.name);
    const existing = (input.nodes ?? []).filter(({ labels }) => labels[Label.NODE_POOL] === pool.name).length;
    const nodes = existing + claims.length;
    if (claims.length === 0 || BigInt(nodes) <= limit) return undefined;
    const cpu = formatAmount('cpu', limit * largestCpu(pool, claims));
    return {
      path: ['spec', 'limits', NODES],
      message:
        `${countText(nodes, 'node')} are planned although limits.nodes is ${limit}: Karpenter compares the limit with the nodes before ` +
        'a batch of pods only, and launches no further node after it',
      remedy: `write limits.nodes: "${nodes}" if all of them are wanted, or limits.cpu: "${cpu}" too, which also holds within a batch`,
      fix: unsafeFix(setField(['spec', 'limits', NODES], String(nodes))),
      evidence: { limit: Number(limit), nodes },
    };
  },
});

/** The CPUs of the largest instance type that is planned. */
function largestCpu({ launch: { table } }: LaunchingPool, claims: readonly PlannedNodeClaim[]): bigint {
  const types = claims.flatMap(({ cheapest }) => (cheapest === undefined ? [] : [cheapest.instanceType]));
  const amounts = types.map((name) => capacityOf(table, table.names.indexOf(name)).get('cpu') ?? 0n);
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
