import { SettledFleet } from './settle';
import { Catalog } from '../../catalog';
import { withPod } from '../input/pod-shape';
import { ScheduleInput, withoutReplicas, PodGroup } from '../input/schedule-input';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { daemonRequests } from '../nodes/existing-nodes';
import { nodeRequirements } from '../nodes/node-facts';
import { podNames } from '../pods/pod-name';
import { unschedulablePods } from '../provisioning/schedule';
import { solveInput } from '../provisioning/solve';
import { SchedulePlan, UnschedulablePod, PlannedNodeClaim } from '../schedule-plan';
import { SettlingNode } from './launched-nodes';
import { merge, ResourceList } from '../../model';

interface SettledInput {
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  /** The plan of Karpenter's passes alone. */
  readonly plan: SchedulePlan;
  /** Indices of the groups that Karpenter schedules. */
  readonly admitted: ReadonlySet<number>;
}

export interface SettledPlan {
  readonly plan: SchedulePlan;
  /**
   * The input of a pass over the pods that remain, in which all nodes of the fleet are up.
   * @default - the passes leave the same pods without a node
   */
  readonly lastInput?: ScheduleInput;
}

/**
 * The plan whose nodes and pods are those of a settled fleet. Undefined if it cannot be said why the pods that remain
 * have no node.
 */
export function settledPlan(fleet: SettledFleet, settled: SettledInput): SettledPlan | undefined {
  const { input, plan, catalog, admitted } = settled;
  const left = podsWithoutNode(fleet, input);
  const ignored = plan.unschedulable.filter(({ group }) => !admitted.has(group));
  const planned = plan.unschedulable.filter(({ group }) => admitted.has(group));
  const lastInput = isSame(planned, left) ? undefined : inputAfter(fleet, settled);
  const refused = lastInput === undefined ? planned : refusedPods(lastInput, catalog);
  if (!isSame(refused, left)) return undefined;
  return {
    plan: { ...planOfFleet(fleet, input, plan), unschedulable: [...ignored, ...renamed(refused, input)] },
    lastInput,
  };
}

/** Pods without a node by group. Virtual pods of CapacityBuffers are on nodes without being bound. */
function podsWithoutNode({ pending, virtual }: SettledFleet, { pods }: ScheduleInput): Map<number, number> {
  const left = new Map(pending);
  for (const { groups } of virtual) {
    for (const [group, count] of groups) {
      if (pods[group].buffer !== undefined) left.set(group, (left.get(group) ?? 0) - count);
    }
  }
  return new Map([...left].filter(([, count]) => count > 0));
}

function isSame(unschedulable: readonly UnschedulablePod[], left: ReadonlyMap<number, number>): boolean {
  const counts = new Map<number, number>();
  for (const { group } of unschedulable) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts.size === left.size && [...left].every(([group, count]) => counts.get(group) === count);
}

function inputAfter(fleet: SettledFleet, { input, admitted }: SettledInput): ScheduleInput {
  const launched = fleet.nodes.flatMap(({ claim, offer }) =>
    claim?.launch && offer ? [{ launch: { ...claim.launch, cheapest: offer } }] : [],
  );
  return {
    ...input,
    nodePools: input.nodePools.map(withoutReplicas),
    nodeClasses: nodeClassesAfter(input.nodeClasses, reservedInstances(launched)),
    pods: input.pods.map((group, index) => ({
      ...group,
      count: admitted.has(index) ? (fleet.pending.get(index) ?? 0) : 0,
    })),
    nodes: fleet.nodes.map(({ node }) => node),
  };
}

function refusedPods(input: ScheduleInput, catalog: Catalog): UnschedulablePod[] {
  const solved = solveInput(input, catalog);
  return solved.isBeyondBounds ? [] : unschedulablePods(solved, true);
}

/** The pods of a group that have no node are its last ones, because those on nodes are numbered first. */
function renamed(unschedulable: readonly UnschedulablePod[], { pods }: ScheduleInput): UnschedulablePod[] {
  const ordinals = new Map<number, number>();
  const namers = new Map<number, (ordinal: number) => string>();
  return [...unschedulable]
    .reverse()
    .map((entry) => {
      const { group } = entry;
      const ordinal = (ordinals.get(group) ?? pods[group].count) - 1;
      ordinals.set(group, ordinal);
      const nameOf = namers.get(group) ?? podNames(pods[group]);
      namers.set(group, nameOf);
      return { ...entry, pod: nameOf(ordinal) };
    })
    .reverse();
}

/**
 * A settled fleet as a plan: each pod is on the node to which kube-scheduler binds it. Claims are numbered in the order
 * of their launch.
 *
 * @param plan of the first pass, which has everything else
 */
export function planOfFleet(
  { nodes, virtual }: SettledFleet,
  { pods, daemonSets, existingClaimCounts = new Map() }: ScheduleInput,
  plan: SchedulePlan,
): SchedulePlan {
  const ordinals = new Map(existingClaimCounts);
  const namers = pods.map(podNames);
  const named = new Map<number, number>();
  const virtualPods = new Map(virtual.map(({ node, groups }) => [node, groups]));
  const podsOf = ({ node, bound }: SettlingNode): Pick<PlannedNodeClaim, 'pods' | 'groups'> => {
    const groups = new Map([...bound, ...(virtualPods.get(node.name) ?? [])]);
    return { groups, pods: [...groups].flatMap((entry) => namesOf(entry, pods, namers, named)) };
  };
  const nodeClaims: PlannedNodeClaim[] = [];
  const filledNodes: SchedulePlan['filledNodes'][number][] = [];
  for (const settling of nodes) {
    const { claim, offer, node } = settling;
    const scheduled = podsOf(settling);
    if (claim === undefined) {
      if (scheduled.groups.size > 0) filledNodes.push({ node: node.name, ...scheduled });
      continue;
    }
    const ordinal = ordinals.get(claim.nodePool) ?? 0;
    ordinals.set(claim.nodePool, ordinal + 1);
    const launch = claim.launch && offer ? { launch: { ...claim.launch, cheapest: offer } } : {};
    const daemons = daemonRequests(node, nodeRequirements(node), daemonSets);
    const requests = merge(daemons, requestsOf(scheduled.groups, pods));
    nodeClaims.push({ ...claim, id: `${claim.nodePool}-${ordinal}`, ...scheduled, requests, ...launch });
  }
  return { ...plan, nodeClaims, filledNodes };
}

function requestsOf(groups: ReadonlyMap<number, number>, pods: readonly PodGroup[]): ResourceList {
  const times = (count: number, requests: ResourceList) =>
    new Map([...requests].map(([resource, amount]) => [resource, amount * BigInt(count)]));
  return merge(...[...groups].map(([group, count]) => times(count, withPod(pods[group].shape.requests))));
}

function namesOf(
  [group, count]: readonly [number, number],
  pods: readonly PodGroup[],
  namers: ReadonlyArray<(ordinal: number) => string>,
  named: Map<number, number>,
): string[] {
  const first = named.get(group) ?? 0;
  named.set(group, Math.min(pods[group].count, first + count));
  return Array.from({ length: count }, (_, index) => namers[group](first + index));
}
