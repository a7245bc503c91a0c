import { planOfFleet } from './fleet-plan';
import { SettledFleet } from './settle';
import { Catalog } from '../../catalog';
import { ScheduleInput, withoutReplicas } from '../input/schedule-input';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { podNames } from '../pods/pod-name';
import { unschedulablePods } from '../provisioning/schedule';
import { solveInput } from '../provisioning/solve';
import { SchedulePlan, UnschedulablePod } from '../schedule-plan';

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
