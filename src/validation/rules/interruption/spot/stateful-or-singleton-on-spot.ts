import { asRecord } from '../../../../contract';
import { shortListText } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf, scalarText } from '../../../manifest/records';
import { minimumReplicas } from '../../common/replicas';
import { optOutReason } from '../../common/serving-workloads';
import { onDemandRemedy, SpotShare, spotShareOf, spotShareText } from '../../common/spot-nodes';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';

const SINGLE_NODE_ACCESS_MODES: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/**
 * KARP-401 reports a workload with a single pod, spot included.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html
 */
export const statefulOrSingletonOnSpot = defineRule({
  id: 'KARP-514',
  name: 'stateful-or-singleton-on-spot',
  severity: 'warning',
  isVendorsChoice: true,
  summary:
    'The pods of a StatefulSet have a volume each and may run on spot: each interruption detaches a volume until the pod runs elsewhere.',
  subjects: longRunningWorkloads(),
  judge(workload, context) {
    const volumes = volumesPerPod(workload);
    if (volumes.length === 0 || workload.replicas === 0) return NOT_APPLICABLE;
    const { pods, unknown: why } = minimumReplicas(context.model, workload);
    if (why === undefined && pods === 1 && optOutReason(workload, 'replicas') === undefined) return NOT_APPLICABLE;
    const share = spotShareOf(context, workload);
    if (share === undefined) return unknown('the plan has no node for its pods');
    return share.spot === 0 ? undefined : finding(workload, volumes, share, context);
  },
});

function finding(
  workload: WorkloadManifest,
  volumes: readonly string[],
  share: SpotShare,
  context: RuleContext,
): SubjectFinding {
  return {
    path: workload.podPath,
    message:
      `has a volume per pod, and ${spotShareText(share)}: EC2 may interrupt it at any time with two minutes' notice, and the pod is unavailable ` +
      `until a new one runs and its volume (${shortListText(volumes)}) is detached from the lost node`,
    remedy: `${onDemandRemedy(context, workload)} in its node affinity`,
    evidence: { nodes: share.nodes, spotNodes: share.spot, volumes },
  };
}

/** Names of the volume claim templates whose volumes only one node at a time can use. */
function volumesPerPod({ kind, object }: WorkloadManifest): string[] {
  if (kind !== 'StatefulSet') return [];
  return recordsOf(object.raw?.spec?.volumeClaimTemplates).flatMap(({ metadata, spec }) => {
    const modes = asRecord(spec)?.accessModes;
    return Array.isArray(modes) && modes.some((mode) => SINGLE_NODE_ACCESS_MODES.includes(mode))
      ? [scalarText(asRecord(metadata)?.name)]
      : [];
  });
}
