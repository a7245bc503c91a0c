import { amountsOf, remainder } from './amounts';
import { cheaperTypes } from './cheaper-types';
import { Bill } from '../../../catalog';
import { Label, merge, ResourceList } from '../../../model';
import { ExistingNode, launchedNode, PlannedNodeClaim, PodShape, poolTables, templateOf } from '../../../scheduling';
import { ClusterPod } from '../../cluster/cluster-pod';
import { workloadNameOf } from '../../cluster/pod-owners';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { NodePrice, NodeVerdict, NodeWorkload } from '../../vocabulary/node-verdict';
import { PlanCost } from '../cost';

type Groups = ReadonlyMap<number, number>;

const NO_GROUPS: Groups = new Map();
const NO_AMOUNTS: ResourceList = new Map();

/** Pods of one workload with the same requests. */
interface PodsOfWorkload {
  readonly workload: string;
  readonly requests: ResourceList;
  readonly pods: number;
}

/** Existing nodes in name order, then the nodes that Karpenter launches, in the order of their creation. */
export function nodeVerdicts(context: RuleContext, cost: PlanCost): NodeVerdict[] {
  const { plan, input } = context;
  const filled = new Map(plan.filledNodes.map(({ node, groups }) => [node, groups]));
  const workloadNames = runningPodWorkloads(context);
  const existing = [...(input.nodes ?? [])].sort((a, b) => byCodePoint(a.name, b.name));
  return [
    ...existing.map((node) => existingNode(node, filled.get(node.name) ?? NO_GROUPS, workloadNames, cost, context)),
    ...plan.nodeClaims.map((claim, ordinal) => newNode(claim, ordinal, cost, context)),
  ];
}

function newNode(claim: PlannedNodeClaim, ordinal: number, cost: PlanCost, context: RuleContext): NodeVerdict {
  const { input, catalog } = context;
  const { id, nodePool, groups, requests, launch } = claim;
  const pods = podsOf(groups, context);
  const podRequests = sumOf(pods);
  const spec = input.nodePools.find(({ name }) => name === nodePool);
  const template = spec && templateOf(spec, input, catalog);
  const node = launch && template ? launchedNode(template, launch.cheapest, claim, ordinal) : undefined;
  const offer = launch?.cheapest;
  return {
    name: id,
    existing: false,
    nodePool,
    instanceType: offer?.instanceType ?? null,
    zone: offer?.zone ?? null,
    capacityType: offer?.capacityType ?? null,
    price: offer && offer.reservation === undefined ? priceOf(cost.billOf(nodePool, offer)) : null,
    capacity: amountsOf(node?.capacity ?? NO_AMOUNTS),
    allocatable: amountsOf(node?.allocatable ?? NO_AMOUNTS),
    requests: { pods: amountsOf(podRequests), daemonSets: amountsOf(remainder(requests, podRequests)) },
    workloads: workloadsOf(pods),
    cheaperTypes:
      offer && template && catalog.unknownPrices === undefined ? cheaperTypes(claim, offer, template, context) : null,
  };
}

function existingNode(
  node: ExistingNode,
  groups: Groups,
  workloadNames: ReadonlyMap<string, string>,
  cost: PlanCost,
  context: RuleContext,
): NodeVerdict {
  const { name, labels, capacity, allocatable } = node;
  const running = node.pods
    .filter(({ daemon }) => !daemon)
    .map((pod) => ({
      workload: workloadNames.get(`${pod.namespace}/${pod.name}`) ?? `${pod.namespace}/${pod.name}`,
      requests: requestsOf(pod),
      pods: 1,
    }));
  const pods = [...running, ...podsOf(groups, context)];
  const nodePool = labels[Label.NODE_POOL] ?? null;
  const [instanceType = null, zone = null, capacityType = null] = [
    labels[Label.INSTANCE_TYPE],
    labels[Label.ZONE],
    labels[Label.CAPACITY_TYPE],
  ];
  return {
    name,
    existing: true,
    nodePool,
    instanceType,
    zone,
    capacityType,
    price: existingPrice({ nodePool, instanceType, zone, capacityType }, cost, context),
    capacity: amountsOf(capacity),
    allocatable: amountsOf(allocatable),
    requests: {
      pods: amountsOf(sumOf(pods)),
      daemonSets: amountsOf(merge(...node.pods.filter(({ daemon }) => daemon).map(requestsOf))),
    },
    workloads: workloadsOf(pods),
    cheaperTypes: null,
  };
}

/** The price of the offering that the labels of a node name, if its NodePool is known. */
function existingPrice(
  {
    nodePool,
    instanceType,
    zone,
    capacityType,
  }: Pick<NodeVerdict, 'nodePool' | 'instanceType' | 'zone' | 'capacityType'>,
  cost: PlanCost,
  { input, catalog }: RuleContext,
): NodePrice | null {
  const table = nodePool === null ? undefined : poolTables(input, catalog).tables.get(nodePool);
  if (!table || instanceType === null || zone === null || capacityType === null || capacityType === 'reserved')
    return null;
  const offered = table.offerings.find((plane) => plane.zone === zone && plane.capacityType === capacityType);
  const usdPerHour = offered?.usdPerHour[table.names.indexOf(instanceType)] ?? NaN;
  return Number.isNaN(usdPerHour)
    ? null
    : priceOf(cost.billOf(nodePool!, { instanceType, zone, capacityType, usdPerHour }));
}

function priceOf(bill: Bill): NodePrice | null {
  return bill.pricePerHour === null
    ? null
    : { perHour: bill.pricePerHour, kind: bill.source.kind, date: bill.source.date ?? null };
}

function podsOf(groups: Groups, { input }: RuleContext): PodsOfWorkload[] {
  return [...groups].map(([group, pods]) => {
    const { namespace, name, shape } = input.pods[group];
    return { workload: `${namespace}/${name}`, requests: requestsOf({ shape }), pods };
  });
}

/** The requests of a pod, with the resource `pods`. */
function requestsOf({ shape }: { readonly shape: PodShape }): ResourceList {
  return new Map([...shape.requests, ['pods', 1n]]);
}

function sumOf(pods: readonly PodsOfWorkload[]): ResourceList {
  return merge(
    ...pods.map(
      ({ requests, pods: count }) =>
        new Map([...requests].map(([resource, amount]) => [resource, amount * BigInt(count)])),
    ),
  );
}

/** Pods of a workload with different requests stay apart. */
function workloadsOf(pods: readonly PodsOfWorkload[]): NodeWorkload[] {
  const merged = new Map<string, NodeWorkload>();
  for (const { workload, requests, pods: count } of pods) {
    const amounts = amountsOf(new Map([...requests].filter(([resource]) => resource !== 'pods')));
    const key = JSON.stringify([workload, amounts]);
    merged.set(key, { workload, pods: count + (merged.get(key)?.pods ?? 0), requests: amounts });
  }
  return [...merged].sort(([a], [b]) => byCodePoint(a, b)).map(([, entry]) => entry);
}

/** The workload of each pod of the cluster, by `namespace/name` of the pod. */
function runningPodWorkloads({ model }: RuleContext): ReadonlyMap<string, string> {
  const objects = [...(model.cluster?.objects ?? []), ...(model.cluster?.replacedObjects ?? [])].filter(
    ({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1',
  );
  return new Map(
    objects.map((object) => new ClusterPod(object)).map((pod) => [`${pod.namespace}/${pod.name}`, workloadNameOf(pod)]),
  );
}
