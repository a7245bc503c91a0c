import { amountsPerColumnUnit, countText, listText } from '../../../model';
import { PlannedNodeClaim, poolTables } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { FieldPath, WorkloadManifest } from '../../manifest/model';
import { needNoCare } from '../common/brief-pods';
import { hasMisspeltField, isRequested, limitRangeDefaults } from '../common/container-requests';
import { podSpecOf, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { defineRule, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

const REQUIRED = ['cpu', 'memory'];
const MIB = 2 ** 20;
/** With less memory for each pod, a node runs out of it: a small Java, Node.js or Python program takes more. */
const LEAST_MIB_PER_POD = 64;

interface MissingRequest {
  readonly container: string;
  readonly resources: readonly string[];
  readonly path: FieldPath;
}

/**
 * An error only if the planned node has too little memory for the pods that it counts as 0. Missing CPU requests slow
 * pods down and kill none, so they are a note, like missing requests of sidecars.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#unspecified-resource-requests-cause-schedulingbin-pack-failures
 */
export const missingRequests = defineRule({
  id: 'KARP-306',
  name: 'missing-requests',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary: 'A container has no CPU or memory request: Karpenter counts it as 0 and packs too many pods on a node.',
  subjects: workloads({
    where: (workload) =>
      !needNoCare(workload) && !targetsNonKarpenterNodes(workload) && Array.isArray(podSpecOf(workload)?.containers),
  }),
  judge(workload, context) {
    const pod = podSpecOf(workload)!;
    const missing = missingRequestsOf(workload, pod, limitRangeDefaults(context.model)(workload.namespace));
    if (missing.length > 0) return finding(context, workload, missing);
    const why = whyUnresolved([pod.containers, pod.initContainers].flat().map((container) => container?.resources));
    return why === undefined ? undefined : unknown(why);
  },
});

function finding(
  context: RuleContext,
  workload: WorkloadManifest,
  containers: readonly MissingRequest[],
): SubjectFinding {
  const resources = REQUIRED.filter((resource) =>
    containers.some((container) => container.resources.includes(resource)),
  );
  const named = containers.map(({ container, resources: missing }) => `${container} (${listText(missing)})`);
  const fullest = fullestNode(context, workload);
  const mib = fullest && isPlannedAsZero(workload) ? mibPerPod(context, fullest.claim) : undefined;
  const isOvercommitted = mib !== undefined && mib < LEAST_MIB_PER_POD;
  // The main container has requests: the others take little beside it.
  const areSidecars = (workload.shape?.requests.get('memory') ?? 0n) > 0n;
  const left = isOvercommitted
    ? `, which has ${Math.max(0, Math.floor(mib))} MiB left for each of its pods without memory requests`
    : '';
  const packed =
    fullest === undefined
      ? ''
      : `; the plan puts ${fullest.pods} of its pods on one node (${fullest.instanceType})${left}`;
  return {
    path: containers[0].path,
    message:
      `${countText(containers.length, 'container')} without ${listText(resources, 'or')} requests: ${listText(named)}; ` +
      `Karpenter sizes nodes by requests and counts these as 0${packed}`,
    remedy: `set ${listText(resources.map((resource) => `resources.requests.${resource}`))} of each container to its real use`,
    evidence: {
      containers: containers.map(({ container, resources: missing }) => ({ name: container, missing })),
      mostPodsPerNode: fullest?.pods ?? null,
    },
    severity: isOvercommitted ? 'error' : resources.includes('memory') && !areSidecars ? undefined : 'info',
  };
}

function missingRequestsOf(workload: WorkloadManifest, pod: any, defaults: ReadonlySet<string>): MissingRequest[] {
  const sidecars = (Array.isArray(pod.initContainers) ? pod.initContainers : []).flatMap(
    (container: any, index: number) =>
      container?.restartPolicy === 'Always' ? [{ container, list: 'initContainers', index }] : [],
  );
  const containers = pod.containers.map((container: any, index: number) => ({ container, list: 'containers', index }));
  return [...containers, ...sidecars].flatMap(({ container, list, index }): MissingRequest[] => {
    const resources = REQUIRED.filter(
      (resource) =>
        !defaults.has(resource) &&
        !isRequested(resource, container?.resources, pod.resources) &&
        !hasMisspeltField(container?.resources),
    );
    const path = [...workload.podPath, list, index, 'resources'];
    return resources.length === 0
      ? []
      : [{ container: typeof container?.name === 'string' ? container.name : `${list}[${index}]`, resources, path }];
  });
}

interface FullestNode {
  readonly pods: number;
  readonly instanceType: string;
  readonly claim: PlannedNodeClaim;
}

/** The planned node with most pods of the workload, if it has at least 2. */
function fullestNode({ plan }: RuleContext, workload: WorkloadManifest): FullestNode | undefined {
  let fullest: FullestNode | undefined;
  for (const claim of plan.nodeClaims) {
    const pods = podsOn(claim, workload);
    if (pods > (fullest?.pods ?? 1))
      fullest = { pods, instanceType: claim.cheapest?.instanceType ?? claim.instanceTypes[0], claim };
  }
  return fullest;
}

function podsOn({ groups }: PlannedNodeClaim, workload: WorkloadManifest): number {
  return podGroupIndices(workload).reduce((sum, group) => sum + (groups.get(group) ?? 0), 0);
}

/** Whether Karpenter counts no memory at all for a pod. */
function isPlannedAsZero({ shape }: WorkloadManifest): boolean {
  return shape !== undefined && (shape.requests.get('memory') ?? 0n) === 0n;
}

/** The memory that the requests leave on the cheapest instance type, for each pod without memory requests. */
function mibPerPod({ model, input, catalog }: RuleContext, claim: PlannedNodeClaim): number | undefined {
  const table = poolTables(input, catalog).tables.get(claim.nodePool);
  const type = table?.names.indexOf(claim.cheapest?.instanceType ?? claim.instanceTypes[0]) ?? -1;
  const row = table?.resources.indexOf('memory') ?? -1;
  if (table === undefined || type < 0 || row < 0) return undefined;
  const pods = model.workloads.filter(isPlannedAsZero).reduce((sum, workload) => sum + podsOn(claim, workload), 0);
  return (
    (table.allocatable[row][type] - Number(claim.requests.get('memory') ?? 0n) / amountsPerColumnUnit('memory')) /
    MIB /
    pods
  );
}

/**
 * Resources for which a LimitRange gives every container of a namespace a request.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem
 */
