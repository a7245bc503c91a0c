import { InstanceTypeTable } from '../../../catalog';
import { setField, unsafeFix } from '../../../contract';
import { countText, ResourceList, subtract } from '../../../model';
import { matchingTypes, PlannedNodeClaim } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { allocatableOf } from '../../instance-types/node-fit';
import { WorkloadManifest } from '../../manifest/model';
import { Placement, placementsOf } from '../common/placements';
import { blockingTaint, commonRequirements, podSpecOf, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { defineRule } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

const RESOURCES = ['cpu', 'memory'];

/**
 * Karpenter leaves room for DaemonSets on a new node, but kube-scheduler may bind other pending pods there first.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled
 */
export const daemonsetWithoutPriority = defineRule({
  id: 'KARP-303',
  name: 'daemonset-without-priority',
  severity: 'warning',
  summary: 'A DaemonSet has no priority class: other pods may take its room on a full node.',
  subjects: workloads({
    where: (workload, { model }) =>
      workload.kind === 'DaemonSet' &&
      workload.shape !== undefined &&
      !targetsNonKarpenterNodes(workload) &&
      !hasGlobalDefault(model.objects),
  }),
  judge(workload, context) {
    const { priorityClassName, priority } = podSpecOf(workload) ?? {};
    if (priorityClassName || priority > 0) return undefined;
    for (const pool of poolsOf(context)) {
      const rival = rivalOf(workload, pool, context);
      if (rival !== undefined) return finding(workload, pool, rival);
    }
    return undefined;
  },
});

interface Rival {
  readonly workload: WorkloadManifest;
  readonly nodes: number;
  readonly instanceType: string;
}

function finding(daemonSet: WorkloadManifest, pool: Pool, { workload, nodes, instanceType }: Rival) {
  const { podPath, namespace, name } = daemonSet;
  const path = [...podPath, 'priorityClassName'];
  return {
    path,
    message:
      `has no priority class: on the ${countText(nodes, 'node')} of NodePool ${pool.name} that ${workload.kind} ${workload.name} fills (${instanceType}), ` +
      'one more pod takes its room if kube-scheduler binds that pod first, and its own pod stays Pending',
    remedy: 'write priorityClassName: system-node-critical, or a class of your own with a value above 0',
    // With a number, admission accepts only the class that has it.
    fix: podSpecOf(daemonSet)?.priority === undefined ? unsafeFix(setField(path, 'system-node-critical')) : undefined,
    evidence: {
      daemonSet: `${namespace}/${name}`,
      workload: `${workload.namespace}/${workload.name}`,
      nodes,
      instanceType,
    },
  };
}

/** A workload whose pods fill nodes so far that one more of them fits only in the room of the DaemonSet. */
function rivalOf(daemonSet: WorkloadManifest, pool: Pool, context: RuleContext): Rival | undefined {
  const { launch, spec } = pool;
  if (launch === undefined || spec === undefined || blockingTaint(daemonSet.shape!, spec.taints) !== undefined)
    return undefined;
  const runsOn = typesWith(daemonSet, pool, launch.table);
  for (const workload of context.model.workloads) {
    if (!mayTakeRoom(workload)) continue;
    const placements = placementsOf(context, workload).filter(({ claim }) => claim?.nodePool === pool.name);
    // Karpenter plans a single node for exactly these pods: none is left to take the room.
    if (placements.length < 2) continue;
    const full = placements.filter(({ claim }) =>
      takesRoom(workload.shape!.requests, daemonSet.shape!.requests, claim!, launch.table, runsOn),
    );
    const [first] = full as readonly (Placement | undefined)[];
    if (first?.claim?.cheapest !== undefined)
      return { workload, nodes: full.length, instanceType: first.claim.cheapest.instanceType };
  }
  return undefined;
}

function mayTakeRoom(workload: WorkloadManifest): boolean {
  return workload.kind !== 'DaemonSet' && workload.shape !== undefined && podGroupIndices(workload).length > 0;
}

function takesRoom(
  pod: ResourceList,
  daemon: ResourceList,
  { cheapest, requests }: PlannedNodeClaim,
  table: InstanceTypeTable,
  runsOn: (type: number) => boolean,
): boolean {
  const type = cheapest === undefined ? -1 : table.names.indexOf(cheapest.instanceType);
  if (type < 0 || !runsOn(type)) return false;
  const free = subtract(allocatableOf(table, type), requests);
  const amount = (list: ResourceList, resource: string) => list.get(resource) ?? 0n;
  const fits = (left: (resource: string) => bigint) =>
    RESOURCES.every((resource) => amount(pod, resource) <= left(resource));
  return (
    !fits((resource) => amount(free, resource)) && fits((resource) => amount(free, resource) + amount(daemon, resource))
  );
}

/** Whether the DaemonSet runs on nodes of a type. */
function typesWith({ shape }: WorkloadManifest, pool: Pool, table: InstanceTypeTable): (type: number) => boolean {
  const alternatives = commonRequirements(shape!, pool);
  const known = new Map<number, boolean>();
  return (type) => {
    const isThere =
      known.get(type) ?? alternatives.some((requirements) => matchingTypes(table, requirements, [type]).length > 0);
    known.set(type, isThere);
    return isThere;
  };
}

function hasGlobalDefault(objects: RuleContext['model']['objects']): boolean {
  return objects.some(({ kind, raw }) => kind === 'PriorityClass' && raw?.globalDefault === true);
}
