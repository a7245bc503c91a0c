import { asRecord } from '../../contract';
import { WorkloadManifest } from '../manifest/model';
import { recordsOf, textOf } from '../manifest/records';
import { fail, notEvaluated, pass } from './private/outcome';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { SpotShare, spotShareOf, spotShareText } from './private/spot-nodes';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const ON_ONE_NODE: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html */
export class StatefulOrSingletonOnSpot implements Rule {
  public readonly id = 'KARP-514';
  public readonly name = 'stateful-or-singleton-on-spot';
  public readonly severity = 'warning';
  public readonly summary = 'A workload of a single pod, or with a volume of its own for each, may run on spot: each interruption takes it away until all is up elsewhere.';

  public check(context: RuleContext): Outcome[] {
    return servingWorkloads(context.model).flatMap((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
    const { object } = workload;
    const volumes = ownVolumes(workload);
    const { pods, unknown } = fullHealthReplicas(context.model, workload);
    if (unknown !== undefined && volumes.length === 0) return [notEvaluated(object, unknown)];
    const isSingle = unknown === undefined && pods === 1;
    if ((volumes.length === 0 && !isSingle) || workload.replicas === 0) return [];
    if (volumes.length === 0 && waiverOf(workload, 'replicas') !== undefined) return [pass(object)];
    const share = spotShareOf(context, workload);
    if (share === undefined) return [notEvaluated(object, 'the plan has no node for its pods')];
    return [share.spot === 0 ? pass(object) : this.finding(workload, volumes, isSingle, share)];
  }

  private finding({ object, podPath }: WorkloadManifest, volumes: readonly string[], isSingle: boolean, share: SpotShare): Outcome {
    const nature = isSingle ? 'runs 1 pod' : 'has a volume for each pod';
    const detail = volumes.length === 0 ? '' : `, whose volume (${someNames(volumes)}) has to come off the lost node first`;
    return fail({
      object,
      path: podPath,
      message: `${nature}, and ${spotShareText(share)}: EC2 takes it back with two minutes' notice, as often as it wants to, and the pod is away until another one is up${detail}`,
      remedy: 'require karpenter.sh/capacity-type In [on-demand, reserved] of its nodes',
      evidence: { nodes: share.nodes, spotNodes: share.spot, volumes },
    });
  }
}

/** Names of the claims that each pod has for itself, and that one node at a time can use. */
function ownVolumes({ kind, object }: WorkloadManifest): string[] {
  if (kind !== 'StatefulSet') return [];
  return recordsOf(object.raw?.spec?.volumeClaimTemplates).flatMap(({ metadata, spec }) => {
    const modes = asRecord(spec)?.accessModes;
    return Array.isArray(modes) && modes.some((mode) => ON_ONE_NODE.includes(mode)) ? [textOf(asRecord(metadata)?.name)] : [];
  });
}
