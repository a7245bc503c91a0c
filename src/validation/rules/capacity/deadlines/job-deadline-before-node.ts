import { setField, unsafeFix } from '../../../../contract';
import { countText } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { deadlineSeconds, isTest } from '../../common/brief-pods';
import { Placement, placementsOf } from '../../common/placements';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { workloads } from '../../subjects';

/** From the launch of a node until it takes pods, as the scenarios assume. */
export const NODE_SECONDS = 60;
/** From the binding of a pod until it has started, as the scenarios assume. */
export const POD_SECONDS = 20;
/** Leaves time for a slow launch, and for the pod. */
const ENOUGH_SECONDS = 600;

/** Less than this fits on nodes that run already. */
const LARGE_PARTS: ReadonlyArray<{ readonly resource: string; readonly least: bigint }> = [
  { resource: 'cpu', least: 1000n },
  { resource: 'memory', least: 1000n * 2n ** 31n },
];

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup */
export const jobDeadlineBeforeNode = defineRule({
  id: 'KARP-326',
  name: 'job-deadline-before-node',
  severity: 'warning',
  summary: 'A Job has to end before a new node is ready, and the plan launches a node only for its pods.',
  subjects: workloads({ where: (workload) => deadlineSeconds(workload) !== undefined }),
  judge(workload, context): SubjectFinding | undefined | typeof NOT_APPLICABLE {
    const seconds = deadlineSeconds(workload)!;
    const placements = placementsOf(context, workload);
    if (placements.length === 0) return NOT_APPLICABLE;
    const alone = placements.find(({ claim, pods }) => claim !== undefined && claim.pods.length === pods);
    const placement = alone ?? placements.find((each) => isLargePart(each, workload));
    if (seconds > NODE_SECONDS + POD_SECONDS || placement === undefined || isTest(workload)) return undefined;
    const path = [...(workload.kind === 'CronJob' ? ['spec', 'jobTemplate'] : []), 'spec', 'activeDeadlineSeconds'];
    return {
      path,
      message:
        `has an activeDeadlineSeconds of ${seconds}, which also counts while its pods are Pending: ` +
        `NodePool ${placement.nodePool} launches a node for ${countText(placement.pods, 'pod')}${alone ? '' : ' unless another has room for so much'}, which takes about ${NODE_SECONDS} s and ${POD_SECONDS} s more for a pod to start, and Kubernetes ends the Job before`,
      remedy: `write activeDeadlineSeconds: ${ENOUGH_SECONDS} or more`,
      evidence: { activeDeadlineSeconds: seconds, nodePool: placement.nodePool },
      fix: unsafeFix(setField(path, ENOUGH_SECONDS)),
    };
  },
});

/**
 * Whether the pods are a large part of what their planned node holds: other pods of the node may run already when the
 * Job starts, but their node is smaller then.
 */
function isLargePart({ claim, pods }: Placement, { shape }: WorkloadManifest): boolean {
  return LARGE_PARTS.some(({ resource, least }) => {
    const wanted = (shape?.requests.get(resource) ?? 0n) * BigInt(pods);
    return wanted >= least && wanted * 4n >= (claim?.requests.get(resource) ?? wanted * 5n);
  });
}
