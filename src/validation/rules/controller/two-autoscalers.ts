import { shortListText } from '../../../model';
import { imagesOf } from '../common/ordinary-pods';
import { defineRule } from '../define-rule';
import { workloads } from '../subjects';

const IMAGE = /(?:^|\/)cluster-autoscaler(?:-[a-z0-9]+)?(?:[:@]|$)/;

/** @see https://karpenter.sh/docs/getting-started/migrating-from-cas/ */
export const twoAutoscalers = defineRule({
  id: 'KARP-913',
  name: 'two-autoscalers',
  severity: 'warning',
  summary: 'Cluster Autoscaler runs beside Karpenter: both add a node for the same pending pod.',
  subjects: workloads({
    where: (workload, { model }) => model.nodePools.length > 0 && imagesOf(workload).some((image) => IMAGE.test(image)),
  }),
  judge({ replicas, kind, name }, { model }) {
    if (replicas === 0) return undefined;
    const pools = model.nodePools.map(({ object }) => object.name).sort();
    return {
      path: ['spec', 'replicas'],
      message:
        `Cluster Autoscaler sees the same pending pods as NodePool ${shortListText(pools)}, and neither waits for the other: ` +
        'if a pod fits its node groups, both add a node',
      remedy: `scale ${kind} ${name} to 0 when Karpenter has taken over, or keep pods off its node groups with a taint`,
      evidence: { nodePools: pools },
    };
  },
});
