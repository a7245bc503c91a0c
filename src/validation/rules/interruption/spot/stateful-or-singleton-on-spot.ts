import { asRecord } from '../../../../contract';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf, scalarText } from '../../../manifest/records';
import { minimumReplicas } from '../../common/replicas';
import { servingWorkloads } from '../../common/serving-workloads';
import { SpotShare, spotShareOf, spotShareText } from '../../common/spot-nodes';
import { someNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

const SINGLE_NODE_ACCESS_MODES: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html */
export class StatefulOrSingletonOnSpot implements Rule {
  public readonly id = 'KARP-514';
  public readonly name = 'stateful-or-singleton-on-spot';
  public readonly severity = 'warning';
  public readonly summary = 'A workload with a volume per pod may run on spot: after each interruption a pod is unavailable until its volume is attached elsewhere.';

  public check(context: RuleContext): Outcome[] {
    return servingWorkloads(context.model).flatMap((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
    const { object } = workload;
    const volumes = volumesPerPod(workload);
    const { pods, unknown } = minimumReplicas(context.model, workload);
    // KARP-401 reports a single pod without a volume.
    if (volumes.length === 0 || workload.replicas === 0) return [];
    const isSingle = unknown === undefined && pods === 1;
    const share = spotShareOf(context, workload);
    if (share === undefined) return [notEvaluated(object, 'the plan has no node for its pods')];
    return [share.spot === 0 ? pass(object) : this.finding(workload, volumes, isSingle, share)];
  }

  private finding({ object, podPath }: WorkloadManifest, volumes: readonly string[], isSingle: boolean, share: SpotShare): Outcome {
    const problem = isSingle ? 'runs 1 pod' : 'has a volume per pod';
    const detail = volumes.length === 0 ? '' : ` and its volume (${someNames(volumes)}) is detached from the lost node`;
    return fail({
      object,
      path: podPath,
      message: `${problem}, and ${spotShareText(share)}: EC2 may interrupt it at any time with two minutes' notice, and the pod is unavailable until a new one runs${detail}`,
      remedy: 'require karpenter.sh/capacity-type In [on-demand, reserved] in its node affinity',
      evidence: { nodes: share.nodes, spotNodes: share.spot, volumes },
    });
  }
}

/** Names of the volume claim templates whose volumes only one node at a time can use. */
function volumesPerPod({ kind, object }: WorkloadManifest): string[] {
  if (kind !== 'StatefulSet') return [];
  return recordsOf(object.raw?.spec?.volumeClaimTemplates).flatMap(({ metadata, spec }) => {
    const modes = asRecord(spec)?.accessModes;
    return Array.isArray(modes) && modes.some((mode) => SINGLE_NODE_ACCESS_MODES.includes(mode)) ? [scalarText(asRecord(metadata)?.name)] : [];
  });
}
