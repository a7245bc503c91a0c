import { Catalog, OfferingPlane } from '../../catalog';
import { Label, merge, Requirement, Requirements, ResourceList } from '../../model';
import { Workload } from '../encoding/problem';
import { ExistingNode, ScheduleInput, isStatic } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { launchOf } from '../launch/launch-request';
import { NODES, PoolTemplate, templateOf } from '../launch/pool-template';
import { offeringsAfter } from '../launch/reservations';
import { compatibleOfferings, typesWithoutPods } from '../launch/type-filter';
import { daemonRequests } from '../nodes/existing-nodes';
import { launchedNode } from '../nodes/launched-node';
import { FilledNode, Offer, PlannedNodeClaim } from '../schedule-plan';

/** At most this many nodes of one pool are added. */
export const MAX_STATIC_NODES = 10_000;

/** A node that a static pool launches, independent of pods. */
export interface StaticNode {
  readonly claim: Omit<PlannedNodeClaim, 'pods' | 'groups' | 'requests'>;
  /** Absent if the launch fails. */
  readonly node?: ExistingNode;
}

/**
 * The nodes that static pools are missing. They are assumed to be up before any pod is scheduled. Karpenter requests
 * all types that the pool allows; the cheapest one is assumed to be launched. Pools are processed by name, in the order
 * of the API server.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export function staticNodes(input: ScheduleInput, catalog: Catalog, pricing: LaunchPricing): StaticNode[] {
  const reserved = new Map<string, number>();
  const pools = input.nodePools.filter(isStatic).sort((left, right) => (left.name < right.name ? -1 : 1));
  const result: StaticNode[] = [];
  for (const pool of pools) {
    const template = templateOf(pool, input, catalog);
    if (template)
      result.push(
        ...nodesOf(template, missingNodes(template, input), input, pricing, { reserved, nodeCount: result.length }),
      );
  }
  return result;
}

/** A node that is marked for deletion is replaced, but counts towards the limit until it is gone. */
function missingNodes({ pool }: PoolTemplate, { nodes = [] }: ScheduleInput): number {
  const own = nodes.filter(({ labels }) => labels[Label.NODE_POOL] === pool.name);
  const wanted = (pool.replicas ?? 0) - own.filter(({ markedForDeletion }) => !markedForDeletion).length;
  const allowed = Number(pool.limits.get(NODES) ?? Infinity) - own.length;
  return Math.min(MAX_STATIC_NODES, Math.max(0, Math.min(wanted, allowed)));
}

/** State across the static pools. */
interface LaunchedSoFar {
  /** Instances by reservation; the instances of each pool are added to it. */
  readonly reserved: Map<string, number>;
  /** Number of nodes of the pools before. */
  readonly nodeCount: number;
}

function nodesOf(
  template: PoolTemplate,
  count: number,
  { settings, nodes = [] }: ScheduleInput,
  pricing: LaunchPricing,
  { reserved, nodeCount }: LaunchedSoFar,
): StaticNode[] {
  const { pool, table, requirements } = template;
  const written = writtenRequirements(requirements);
  const planes = compatibleOfferings(table, written);
  const { types, zones, capacityTypes, cheapest } = pricing.options(table, planes, typesWithoutPods(table, written));
  if (types.length === 0) return [];
  const instanceTypes = types.map((type) => table.names[type]);
  const claim = {
    nodePool: pool.name,
    instanceTypes,
    zones,
    capacityTypes,
    cheapest,
    requirements: requirements.values(),
  };
  const launched = { ...template, requirements: written };
  const zonesLeft = new Set(planes.map(({ zone }) => zone));
  const names = freeNames(pool.name, count, nodes);
  const result: StaticNode[] = [];
  while (result.length < count) {
    const left = offeringsAfter(planes, reserved);
    const launch = launchOf({ template: launched, planes: left, types, zonesLeft, isStatic: true }, settings);
    const offer = launch.launch?.cheapest;
    const alike = names.slice(result.length, result.length + roomIn(left, offer));
    if (offer?.reservation !== undefined)
      reserved.set(offer.reservation, (reserved.get(offer.reservation) ?? 0) + alike.length);
    result.push(
      ...alike.map((name, index) => {
        const node = offer && { name, ...launchedNode(template, offer, claim, nodeCount + result.length + index) };
        return { claim: { id: name, ...claim, ...launch }, node };
      }),
    );
  }
  return result;
}

/**
 * The requirements as the NodeClaim has them. Karpenter writes a bound without the values that NotIn excludes, so that
 * EC2 may launch a type that the NodePool excludes. Karpenter then finds the node drifted.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/requirement.go NodeSelectorRequirement
 */
function writtenRequirements(requirements: Requirements): Requirements {
  const written = requirements.values().map((requirement) => {
    const { key, complement, values, gte, lte, minValues } = requirement;
    const losesValues = complement && values.size > 0 && (gte !== undefined || lte !== undefined);
    return losesValues ? Requirement.of({ key, complement, values: new Set(), gte, lte, minValues }) : requirement;
  });
  return Requirements.of(written);
}

/** How many nodes can be launched with the offer: at least one, because the launch chose it. */
function roomIn(planes: readonly OfferingPlane[], offer: Offer | undefined): number {
  const reservation = planes.find(
    (plane) => plane.reservation !== undefined && plane.reservation.id === offer?.reservation,
  )?.reservation;
  return Math.max(1, reservation?.free ?? Infinity);
}

function freeNames(pool: string, count: number, nodes: readonly ExistingNode[]): string[] {
  const taken = new Set(nodes.map(({ name }) => name));
  const names: string[] = [];
  for (let ordinal = 0; names.length < count; ordinal++) {
    const name = `${pool}-${ordinal}`;
    if (!taken.has(name)) names.push(name);
  }
  return names;
}

/** The claims of static nodes, with the pods that are scheduled onto them. */
export function staticClaims(
  nodes: readonly StaticNode[],
  { nodes: views, relaxedDaemonSets }: Workload,
  filled: ReadonlyArray<FilledNode & { readonly requests: ResourceList }>,
): PlannedNodeClaim[] {
  const filledByName = new Map(filled.map((filledNode) => [filledNode.node, filledNode]));
  const viewByName = new Map(views.map((view) => [view.node.name, view]));
  return nodes.map(({ claim }) => {
    const view = viewByName.get(claim.id);
    const { pods = [], groups = new Map(), requests = new Map() } = filledByName.get(claim.id) ?? {};
    const daemons = view ? daemonRequests(view.node, view.requirements, relaxedDaemonSets) : new Map();
    return { ...claim, pods, groups, requests: merge(requests, daemons) };
  });
}
