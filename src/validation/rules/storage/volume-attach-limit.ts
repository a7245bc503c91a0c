import { setField, unsafeFix } from '../../../contract';
import { countText, workloadNames } from '../../../model';
import { PlannedNodeClaim, PodShape } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { WorkloadManifest } from '../../manifest/model';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';
import { attachLimitOf, AttachLimit, isEbsDriver } from './attach-limit';

interface VolumeUse {
  readonly claim: PlannedNodeClaim;
  readonly volumes: number;
  /** Volumes by workload. */
  readonly byWorkload: ReadonlyMap<WorkloadManifest, number>;
  /** The most volumes that one pod on the node has. */
  readonly mostOfOnePod: number;
}

/**
 * Karpenter counts volumes only on nodes with a CSINode object, so not on a node that it plans.
 *
 * @see https://docs.aws.amazon.com/ebs/latest/userguide/volume_limits.html
 */
export const volumeAttachLimit: Rule = {
  id: 'KARP-808',
  name: 'volume-attach-limit',
  severity: 'warning',
  summary:
    'A planned node gets pods with more EBS volumes than its instance type attaches: the last of these pods do not start there.',
  check(context: RuleContext): Outcome[] {
    const found = new Map<WorkloadManifest, Outcome>();
    for (const use of volumeUses(context)) {
      const limit = attachLimitOf(context, use.claim);
      if (limit === undefined) continue;
      const [main] = [...use.byWorkload].sort(([, left], [, right]) => right - left)[0];
      const isExceeded = use.volumes > limit.attachable;
      // The first node with too many volumes stands for all nodes of the workload.
      if (isExceeded ? found.get(main)?.state !== 'fail' : !found.has(main)) {
        found.set(main, isExceeded ? finding(context, main, use, limit) : pass(main.object));
      }
    }
    return [...found.values()];
  },
};

/** The EBS volumes of each node as Karpenter plans it, only of nodes with such volumes. */
function volumeUses({ passesPlan: plan, input, model }: RuleContext): VolumeUse[] {
  const workloadOf = new Map(
    model.workloads.flatMap((workload) => podGroupIndices(workload).map((group) => [group, workload] as const)),
  );
  return plan.nodeClaims.flatMap((claim) => {
    const shared = new Set<string>();
    const byWorkload = new Map<WorkloadManifest, number>();
    let mostOfOnePod = 0;
    for (const [group, pods] of claim.groups) {
      const { shape } = input.pods[group];
      const workload = workloadOf.get(group);
      const own = ownVolumes(shape);
      const mounted = [...(shape.mountedClaims ?? [])]
        .filter(([, driver]) => isEbsDriver(driver))
        .map(([name]) => name);
      // A volume that several pods of the node mount is attached once.
      const added = pods * own + mounted.filter((name) => !shared.has(name)).length;
      mounted.forEach((name) => shared.add(name));
      if (pods === 0 || workload === undefined || own + mounted.length === 0) continue;
      mostOfOnePod = Math.max(mostOfOnePod, own + mounted.length);
      byWorkload.set(workload, (byWorkload.get(workload) ?? 0) + added);
    }
    const volumes = [...byWorkload.values()].reduce((sum, one) => sum + one, 0);
    return volumes === 0 ? [] : [{ claim, volumes, byWorkload, mostOfOnePod }];
  });
}

function ownVolumes({ volumes }: PodShape): number {
  return [...(volumes ?? [])].reduce((sum, [driver, one]) => sum + (isEbsDriver(driver) ? one : 0), 0);
}

function finding(
  { model }: RuleContext,
  workload: WorkloadManifest,
  { claim, volumes, byWorkload, mostOfOnePod }: VolumeUse,
  limit: AttachLimit,
): Outcome {
  const { instanceType, attachable, nodeVolumes, isShared, nodeClass } = limit;
  const others = [...byWorkload.keys()].filter((other) => other !== workload);
  const whose = others.length === 0 ? 'gets pods' : `gets pods of ${countText(others.length + 1, 'workload')}`;
  const besides = nodeVolumes === 1 ? 'its root volume' : `the ${nodeVolumes} volumes of its EC2NodeClass`;
  const maxPods = Math.floor(attachable / mostOfOnePod);
  const byPods = maxPods === 0 ? '' : `write kubelet.maxPods: ${maxPods} or less in EC2NodeClass ${nodeClass}, `;
  const ofNodes = model.nodeClasses.find(({ object }) => object.name === nodeClass);
  return fail({
    object: workload.object,
    path: volumePath(workload),
    message:
      `a planned ${instanceType} of NodePool ${claim.nodePool} ${whose} with ${volumes} EBS volumes, but attaches at most ${attachable} besides ${besides}` +
      `${isShared ? ', fewer with several network interfaces' : ''}: Karpenter learns this limit from a running node, ` +
      `so pods with the other ${volumes - attachable} stay pending or in ContainerCreating`,
    remedy: `${byPods}${byPods === '' ? '' : 'or '}allow only instance types that attach ${volumes + nodeVolumes} volumes or more`,
    evidence: {
      node: claim.id,
      instanceType,
      volumes,
      attachable,
      nodeVolumes,
      sharedWithNetworkInterfaces: isShared,
      workloads: workloadNames([...byWorkload.keys()]),
    },
    also:
      maxPods === 0 || ofNodes === undefined
        ? undefined
        : [{ object: ofNodes.object, fix: unsafeFix(setField(['spec', 'kubelet', 'maxPods'], maxPods)) }],
  });
}

function volumePath({ object, podPath }: WorkloadManifest): readonly (string | number)[] {
  return object.raw.spec?.volumeClaimTemplates === undefined
    ? [...podPath, 'volumes']
    : ['spec', 'volumeClaimTemplates'];
}
