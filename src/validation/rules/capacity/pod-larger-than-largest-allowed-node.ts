import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { workloads } from '../subjects';
import { missingCpuUnit } from './cpu-unit';
import { deviceTypeText, findLargerType, largerVolumeRemedy } from './larger-node';
import { largestRequestPath, missingDevice } from './missing-device';
import { nearestNode, NearestNode, EmptyNode } from './nearest-node';
import { DEFAULT_MEMORY_OVERHEAD } from '../../../catalog';
import {
  amountsPerColumnUnit,
  amountsText,
  formatAmount,
  listText,
  memoizeByIdentity,
  merge,
  numberText,
  ResourceList,
  shortListText,
} from '../../../model';
import { matchingTypes, PodShape, SchedulePlan } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { fitsOnType } from '../../instance-types/node-fit';
import { WorkloadManifest } from '../../manifest/model';
import { amountsEvidence } from '../common/figures';
import { allPodsHaveNodes } from '../common/placements';
import {
  blockingTaint,
  canHold,
  commonRequirements,
  hasExtendedResources,
  targetsNonKarpenterNodes,
  unresolvedConstraint,
} from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { idleSeverityOf } from '../common/replicas';
import { triedRemedy } from '../common/unscheduled-pods';
import { RuleContext } from '../rule';

/**
 * Whether any node that the NodePools allow could ever hold the pod. Limits, other pods and constraints between
 * pods do not matter here.
 *
 * @see https://github.com/aws/karpenter-provider-aws/issues/5676
 */
export const podLargerThanLargestAllowedNode = defineRule({
  id: 'KARP-301',
  name: 'pod-larger-than-largest-allowed-node',
  severity: 'error',
  summary:
    'A pod requests more than an empty node of any instance type that its NodePools allow has beside the daemonsets.',
  subjects: workloads({
    where: (workload) =>
      workload.kind !== 'DaemonSet' && workload.shape !== undefined && !targetsNonKarpenterNodes(workload),
  }),
  judge(workload, context) {
    if (podGroupIndices(workload).some((group) => plannedGroups(context.plan).has(group))) return undefined;
    return allPodsHaveNodes(context, workload) ? undefined : judgeSize(workload, workload.shape!, context);
  },
});

const BYTES_PER_MIB = 2n ** 20n;

const plannedGroups = memoizeByIdentity(
  ({ nodeClaims }: SchedulePlan) => new Set(nodeClaims.flatMap(({ groups }) => [...groups.keys()])),
);

function judgeSize(workload: WorkloadManifest, shape: PodShape, context: RuleContext): Judgement {
  const why = unresolvedConstraint(workload);
  if (why !== undefined) return unknown(`the value of ${why} is known only at deployment`);
  const { compatible, nodes } = candidatesIn(context)(shape);
  const requests = merge(shape.requests, new Map([['pods', 1n]]));
  if (nodes.some(({ table, index, daemons }) => fitsOnType(table, index, requests, daemons))) return undefined;
  const unusable = compatible.find(({ launch }) => launch === undefined);
  if (unusable !== undefined) return unknown(`NodePool ${unusable.name} may hold its pods: ${unusable.why}`);
  // KARP-211 reports the taints of the NodePools for pods with such resources.
  if (
    poolsOf(context).some(
      (pool) => accepts({ ...pool, spec: pool.spec && { ...pool.spec, taints: [] } }, shape) && canHold(pool, shape),
    ) &&
    !compatible.some((pool) => hasExtendedResources(pool, shape))
  ) {
    return undefined;
  }
  return nodes.length === 0 ? NOT_APPLICABLE : finding(context, workload, shape, requests, nodes);
}

/**
 * The empty nodes that may hold the pod by its constraints. Undefined if a NodePool with unknown instance types may
 * hold it.
 */
export function emptyNodesFor(context: RuleContext, shape: PodShape): readonly EmptyNode[] | undefined {
  const { compatible, nodes } = candidatesIn(context)(shape);
  return compatible.some(({ launch }) => launch === undefined) ? undefined : nodes;
}

/** NodePools and nodes that a pod's constraints allow, whatever the pod requests. */
interface Candidates {
  readonly compatible: readonly Pool[];
  readonly nodes: readonly EmptyNode[];
}

/**
 * Hot path: thousands of workloads often differ in their requests only, so the candidates are kept for each set of
 * constraints.
 */
const candidatesIn = memoizeByIdentity((context: RuleContext) => {
  const byConstraints = new Map<string, Candidates>();
  return (shape: PodShape): Candidates => {
    const key = JSON.stringify([shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
    const known = byConstraints.get(key);
    if (known !== undefined) return known;
    const compatible = poolsOf(context).filter((pool) => accepts(pool, shape));
    const candidates = { compatible, nodes: compatible.flatMap((pool) => nodesFor(pool, shape)) };
    byConstraints.set(key, candidates);
    return candidates;
  };
});

/** Whether taints and requirements allow the pod, as far as they are known. Instance types are not considered. */
function accepts(pool: Pool, shape: PodShape): boolean {
  return (
    pool.spec === undefined ||
    (blockingTaint(shape, pool.spec.taints) === undefined && commonRequirements(shape, pool).length > 0)
  );
}

/** An empty node of every instance type of the NodePool that the pod's constraints allow. */
function nodesFor(pool: Pool, shape: PodShape): EmptyNode[] {
  const { launch } = pool;
  if (launch === undefined) {
    return [];
  }
  const { table, indices, view } = launch;
  const allowed = new Set(
    commonRequirements(shape, pool).flatMap((requirements) => matchingTypes(table, requirements, indices)),
  );
  return indices.flatMap((index, position) =>
    allowed.has(index) ? [{ pool, table, index, daemons: view.daemonOverhead[position] }] : [],
  );
}

function finding(
  context: RuleContext,
  workload: WorkloadManifest,
  shape: PodShape,
  requests: ResourceList,
  nodes: readonly EmptyNode[],
): SubjectFinding {
  const { input, model } = context;
  const { severity, note } = idleSeverityOf(model, workload);
  const nearest = nearestNode(nodes, requests);
  const overhead = memoryOverheadText(context, nearest, requests);
  const instanceTypes = new Set(nodes.map(nameOf)).size;
  const resources = nearest.shortages.map(({ resource }) => resource);
  const pools = [...new Set(nodes.map(({ pool }) => pool.name))].sort();
  const short = resources.find((resource) => resource.includes('/'));
  const larger = findLargerType(nearest.node, shape, requests, short !== undefined);
  const pods = workload.replicas - (workload.running ?? 0);
  const volume = larger
    ? undefined
    : largerVolumeRemedy(
        input.nodeClasses.get(nearest.node.pool.spec!.nodeClass),
        nearest,
        requests,
        nodes.filter(({ pool }) => pool === nearest.node.pool),
      );
  const { remedy: tried, related, isTypo, ...edits } = triedRemedy(context, workload);
  const unit = missingCpuUnit(workload, requests, nodes);
  const device = missingDevice(context, workload, nearest, nodes);
  const isUnitTried = unit !== undefined && isTypo === true;
  const remedy = withTried(
    isUnitTried ? undefined : tried,
    nearest,
    requests,
    volume ??
      (larger === undefined
        ? (device?.remedy ?? otherTypesRemedy(nearest))
        : `let a NodePool allow a larger type, such as ${larger.name}${
            short === undefined
              ? ''
              : deviceTypeText(context, nearest.node, larger, { resource: short, pods, requests })
          }`),
  );
  return {
    path: device?.path ?? largestRequestPath(workload, short ?? resources[0]) ?? [...workload.podPath, 'containers'],
    message:
      `each pod requests ${amountsText(resources, requests)}, more than ` +
      `${instanceTypes === 1 ? 'the one instance type' : `any of the ${instanceTypes} instance types`} ` +
      `that NodePool ${listText(pools, 'or')} allows: ${shortageText(nearest, overhead)}${note}`,
    remedy: unit === undefined ? remedy : `write ${unit} if thousandths of a CPU are meant; otherwise ${remedy}`,
    evidence: {
      requests: amountsEvidence(requests),
      nearest: {
        nodePool: nearest.node.pool.name,
        instanceType: nameOf(nearest.node),
        allocatable: amountsEvidence(
          new Map(nearest.shortages.map(({ resource, allocatable }) => [resource, allocatable])),
        ),
        daemonSets: amountsEvidence(nearest.node.daemons),
        shortBy: amountsEvidence(new Map(nearest.shortages.map(({ resource, missing }) => [resource, missing]))),
      },
      instanceTypes,
      largerType: larger?.name ?? null,
    },
    // A typing error is no reason to change a NodePool.
    ...(unit === undefined || isUnitTried ? edits : {}),
    ...(tried === undefined && device?.fix !== undefined ? { fix: device.fix } : {}),
    ...(unit === undefined && related !== undefined ? { related } : {}),
    severity,
  };
}

/** What to do if no type that EC2 offers there holds the pod. */
function otherTypesRemedy({ absent, shortages }: NearestNode): string {
  if (shortages.some(({ resource }) => resource === 'pods'))
    return 'let a NodePool allow instance types with more addresses, or raise kubelet.maxPods of its EC2NodeClass';
  return absent.length > 0
    ? `let a NodePool allow instance types that have ${listText(absent)}`
    : 'divide the work among several smaller pods, because no instance type holds one of these';
}

/** How much memory the type has before Karpenter takes off its guess, if the pod would fit into that. */
function memoryOverheadText(
  { catalog, options: { vmMemoryOverheadPercent = DEFAULT_MEMORY_OVERHEAD } }: RuleContext,
  { node: { table, index }, shortages }: NearestNode,
  requests: ResourceList,
): string {
  if (shortages.length !== 1 || shortages[0].resource !== 'memory') return '';
  const mib = catalog.memoryMiBOf(table.names[index]);
  if (mib === undefined) return '';
  const stated = BigInt(mib) * BYTES_PER_MIB * BigInt(amountsPerColumnUnit('memory'));
  const wanted = requests.get('memory') ?? 0n;
  if (wanted > stated || wanted <= shortages[0].allocatable) return '';
  const percent = numberText(vmMemoryOverheadPercent * 100);
  return `; of its ${amountsText(['memory'], new Map([['memory', stated]])).replace(/ memory$/, '')}, Karpenter takes off ${percent}% as its guess of the hypervisor's share (vmMemoryOverheadPercent), and what the kubelet reserves`;
}

function shortageText({ node, shortages, absent }: NearestNode, overhead: string): string {
  if (absent.length > 0 && absent.length === shortages.length) {
    return `none has any ${listText(absent)}`;
  }
  const allocatable = new Map(shortages.map(({ resource, allocatable: amount }) => [resource, amount]));
  const used = shortages.map(({ resource }) => resource).filter((resource) => (node.daemons.get(resource) ?? 0n) > 0n);
  const daemons = used.length === 0 ? '' : `, and daemonsets use ${amountsText(used, node.daemons)} of that`;
  return `the nearest, ${nameOf(node)}, has ${amountsText([...allocatable.keys()], allocatable)}${daemons}${overhead}`;
}

/**
 * The change that was tried, with a larger node as the alternative to a smaller pod. The larger node comes first if
 * less than half of a request would remain.
 */
function withTried(tried: string | undefined, nearest: NearestNode, requests: ResourceList, allow: string): string {
  if (tried === undefined) return remedyOf(nearest, requests, allow);
  // The volume is another way to more storage than the instance store.
  if (allow.startsWith(`${tried}, `)) return allow;
  if (!tried.startsWith('lower ')) return tried;
  const isMuchSmaller = nearest.shortages.some(
    ({ resource, missing }) => missing * 2n > (requests.get(resource) ?? 0n),
  );
  return isMuchSmaller ? `${allow}, or ${tried}` : `${tried}, or ${allow}`;
}

function remedyOf({ shortages, absent }: NearestNode, requests: ResourceList, allow: string): string {
  const reducible = shortages.filter(
    ({ resource, missing }) =>
      !absent.includes(resource) && resource !== 'pods' && (requests.get(resource) ?? 0n) > missing,
  );
  if (reducible.length < shortages.length) {
    return allow;
  }
  const lower = reducible.map(
    ({ resource, missing }) => `${resource} to ${formatAmount(resource, requests.get(resource)! - missing)}`,
  );
  return `${allow}, or lower the requests of ${shortListText(lower)} or less`;
}

function nameOf({ table, index }: EmptyNode): string {
  return table.names[index];
}
