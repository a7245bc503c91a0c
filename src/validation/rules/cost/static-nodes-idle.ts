import { setField, unsafeFix } from '../../../contract';
import { countText, monthlyPrice, monthlyPriceText } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { Autoscalers } from '../../manifest/workload/autoscalers';
import { priceIn } from '../common/figures';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { LaunchingPool, launchingPools } from '../subjects';

const LEAST_USD_PER_MONTH = 300;

/** @see https://karpenter.sh/docs/concepts/nodepools/#specreplicas */
export const staticNodesIdle = defineRule<LaunchingPool>({
  id: 'KARP-1014',
  name: 'static-nodes-idle',
  severity: 'warning',
  summary: 'Most nodes of a static NodePool run no pod of the input: Karpenter keeps them, whatever the pods need.',
  subjects: launchingPools({ where: ({ spec }) => spec?.replicas !== undefined }),
  judge(pool, context) {
    const { plan, catalog } = context;
    const nodes = plan.nodeClaims.filter(({ nodePool }) => nodePool === pool.name);
    const idle = nodes.filter(({ pods }) => pods.length === 0);
    const used = nodes.length - idle.length;
    // Without a pod on any node, they are for workloads that the input does not have.
    if (used === 0) return NOT_APPLICABLE;
    const usdPerHour = idle.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0);
    if (idle.length <= used || monthlyPrice(usdPerHour) < LEAST_USD_PER_MONTH) return undefined;
    const price = monthlyPriceText(...priceIn(catalog, usdPerHour));
    return {
      path: ['spec', 'replicas'],
      ...(mayGrow(nodes, context) ? { severity: 'info' as const } : {}),
      message: `${countText(idle.length, 'node')} of ${nodes.length} run no pod of the input, for ${price}: Karpenter never consolidates nodes of a static NodePool`,
      remedy: `write replicas: ${used}, or more if pods of other files need the room`,
      evidence: { replicas: nodes.length, idle: idle.length, usdPerHour },
      fix: unsafeFix(setField(['spec', 'replicas'], used)),
    };
  },
});

/** Whether an autoscaler may run more pods on the nodes. */
function mayGrow(nodes: readonly PlannedNodeClaim[], { model }: RuleContext): boolean {
  const groups = new Set(nodes.flatMap((node) => [...node.groups.keys()]));
  const autoscalers = new Autoscalers(model.objects);
  return model.workloads.some(
    (workload) =>
      podGroupIndices(workload).some((group) => groups.has(group)) &&
      autoscalers.peakOf(workload.kind, workload.namespace, workload.name) !== undefined,
  );
}
