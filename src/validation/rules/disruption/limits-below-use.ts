import { setField, unsafeFix } from '../../../contract';
import { amountText, countText, formatAmount, Label, listText } from '../../../model';
import { ExistingNode } from '../../../scheduling';
import { amountsEvidence } from '../common/figures';
import { Pool } from '../common/pool';
import { defineRule } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

/**
 * Full limits do not hinder a replacement: Karpenter leaves out the node that it replaces. It creates no NodeClaim
 * while the use is above the limits.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go Create
 */
export const limitsBelowUse = defineRule({
  id: 'KARP-431',
  name: 'limits-below-use',
  severity: 'warning',
  supersededBy: ['KARP-310', 'KARP-322'],
  summary: 'The nodes of a NodePool already exceed its limits: Karpenter replaces none of them.',
  subjects: pools({
    where: (pool, context) => isDynamicWithLimits(pool) && nodesOf(pool, context).length > 0,
  }),
  judge(pool, context) {
    const nodes = nodesOf(pool, context);
    const exceeded = [...pool.spec!.limits].flatMap(([resource, limit]) => {
      const used = usedBy(nodes, resource);
      return used > limit ? [{ resource, limit, used }] : [];
    });
    if (exceeded.length === 0) return undefined;
    const uses = exceeded.map(
      ({ resource, limit, used }) =>
        `${amountText(resource, used)} of ${formatAmount(resource, limit)} (limits.${resource})`,
    );
    return {
      path: ['spec', 'limits', exceeded[0].resource],
      message:
        `its ${countText(nodes.length, 'node')} ${nodes.length === 1 ? 'uses' : 'use'} ${listText(uses)}: until others are gone, Karpenter launches no node, ` +
        'so that it replaces no drifted node and no node by a cheaper one',
      remedy: `write ${listText(exceeded.map(({ resource, used }) => `limits.${resource}: "${formatAmount(resource, used)}"`))} or more`,
      evidence: {
        limits: amountsEvidence(new Map(exceeded.map(({ resource, limit }) => [resource, limit]))),
        used: amountsEvidence(new Map(exceeded.map(({ resource, used }) => [resource, used]))),
      },
      fix: unsafeFix(
        ...exceeded.map(({ resource, used }) => setField(['spec', 'limits', resource], formatAmount(resource, used))),
      ),
    };
  },
});

function isDynamicWithLimits({ spec }: Pool): boolean {
  return spec !== undefined && spec.replicas === undefined && spec.limits.size > 0;
}

function nodesOf({ name }: Pool, { input }: RuleContext): readonly ExistingNode[] {
  return (input.nodes ?? []).filter(({ labels }) => labels[Label.NODE_POOL] === name);
}

function usedBy(nodes: readonly ExistingNode[], resource: string): bigint {
  if (resource === 'nodes') return BigInt(nodes.length);
  return nodes.reduce((sum, { capacity }) => sum + (capacity.get(resource) ?? 0n), 0n);
}
