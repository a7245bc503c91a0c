import { CriticalTask, criticalTasks } from '../../../context/critical-tasks';
import { WorkloadManifest } from '../../../manifest/model';
import { workloadsOnKarpenterNodes, SpotShare, spotShareOf, spotShareText } from '../../common/spot-nodes';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

/** @see https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html */
export const systemCriticalOnSpot = defineRule({
  id: 'KARP-515',
  name: 'system-critical-on-spot',
  isVendorsChoice: true,
  severity: 'error',
  summary:
    'A workload that the whole cluster depends on, such as DNS, a controller or a required webhook, may run on spot.',
  subjects: subjectsFrom<WorkloadManifest>(workloadsOnKarpenterNodes, {
    where: (workload, { model }) => criticalTasks(model).has(workload),
  }),
  judge(workload, context) {
    const share = spotShareOf(context, workload);
    if (share === undefined) return unknown('the plan has no node for its pods');
    return share.spot === 0 ? undefined : finding(workload, criticalTasks(context.model).get(workload)!, share);
  },
});

function finding({ podPath, replicas }: WorkloadManifest, task: CriticalTask, share: SpotShare): SubjectFinding {
  const { text, part, isDeclared = false } = task;
  const consequence = isDeclared
    ? 'an interruption stops it, although its manifest says that the cluster depends on it'
    : `after an interruption ${part === undefined ? 'the whole cluster is affected' : `changes of ${part} are refused until it answers again`}`;
  const together =
    share.mostPodsOnSpotNode > 1 && share.mostPodsOnSpotNode === replicas ? `, all ${replicas} on one` : '';
  return {
    path: podPath,
    message: `${text}, but ${spotShareText(share)}${together}: ${consequence}`,
    remedy:
      'run it on a node group or require karpenter.sh/capacity-type In [on-demand, reserved], and spread its pods over nodes',
    evidence: {
      task: text,
      nodes: share.nodes,
      spotNodes: share.spot,
      podsOnFullestSpotNode: share.mostPodsOnSpotNode,
    },
    severity: part === undefined && !isDeclared ? undefined : 'warning',
  };
}
