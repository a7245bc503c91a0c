import { podAnnotationsPath, protectionOfPods } from './pod-protection';
import { DO_NOT_DISRUPT } from '../../../../contract';
import { targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { spotShareOf, spotShareText } from '../../common/spot-nodes';
import { defineRule, unknown } from '../../define-rule';
import { workloads } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const doNotDisruptIsNotSpotProof = defineRule({
  id: 'KARP-410',
  name: 'do-not-disrupt-is-not-spot-proof',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Pods that are protected by do-not-disrupt may run on spot nodes, which EC2 interrupts in spite of the annotation.',
  subjects: workloads({
    where: (workload) =>
      workload.kind !== 'DaemonSet' &&
      !targetsNonKarpenterNodes(workload) &&
      protectionOfPods(workload).kind !== 'none',
  }),
  judge(workload, context) {
    const share = spotShareOf(context, workload);
    if (share === undefined) return unknown('the plan has no node for its pods');
    if (share.spot === 0) return undefined;
    return {
      path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
      message: `${spotShareText(share)}: ${DO_NOT_DISRUPT} stops Karpenter, but EC2 still ends a spot instance two minutes after its notice`,
      remedy: 'require karpenter.sh/capacity-type In [on-demand, reserved] for the pods, or checkpoint the work often',
      evidence: { nodes: share.nodes, spotNodes: share.spot },
    };
  },
});
