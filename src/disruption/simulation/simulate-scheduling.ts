import {
  claimsOf,
  leftBehind,
  PlannedNodeClaim,
  planOf,
  podGroupsOnNodes,
  ScheduleInput,
  SolvedInput,
  withNodesAndPods,
  withReservationChange,
} from '../../scheduling';
import { Cluster } from '../cluster';
import { DisruptionContext } from '../context';
import { podKey } from '../pods';
import { Candidate } from '../types';
import { currentlyReschedulable } from './node-removals';
import { QueuedPods, queuedPods, sortByAge } from './queued-pods';

/** The schedule after some nodes are removed. */
export interface Simulation {
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  /** New nodes that have pods. */
  readonly newNodeClaims: readonly PlannedNodeClaim[];
  /**
   * Why a running pod has no other node, in Karpenter's own words; undefined if all have one. Pending pods do not
   * count.
   */
  readonly failure: () => string | undefined;
  /** Names of the nodes that take pods, which Karpenter nominates for them. */
  readonly destinations: () => string[];
}

export interface SchedulingSimulationOptions {
  /**
   * Whether running pods may not move to nodes whose consolidateAfter is not over, as in consolidation. @default false
   */
  readonly avoidsSettlingNodes?: boolean;
  /**
   * Whether candidate pods that can never be evicted are scheduled too. Repair does so, because it ends them when its
   * drain bound is over. @default false
   */
  readonly includesBlockedPods?: boolean;
  /**
   * The capacity reservation in which the candidates free one instance. The simulation is strict then, as provisioning
   * of pending pods is: if other pods take the reservation, a pod does not fall back to other capacity.
   *
   * @default - none
   */
  readonly creditedReservation?: string;
}

const MAX_ERRORS = 5;

/**
 * Schedules the pods of the candidates, of deleting nodes, and pending pods onto the rest of the cluster.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function simulateScheduling(
  context: DisruptionContext,
  candidates: readonly Candidate[],
  { avoidsSettlingNodes = false, includesBlockedPods = false, creditedReservation }: SchedulingSimulationOptions = {},
): Simulation {
  const {
    session,
    cluster: {
      catalog,
      nodes: clusterNodes,
      scheduling: { settings, nodeClasses },
    },
  } = context;
  const base = context.simulationBase(avoidsSettlingNodes);
  const removals = candidates.map(({ node }) =>
    session.removals.of(node, currentlyReschedulable(node, context, includesBlockedPods)),
  );
  const candidatePods =
    removals.length === 1
      ? removals[0].queue
      : queuedPods(
          removals.map(({ rescheduled }) => rescheduled),
          false,
        );
  const queue = sortByAge([...base.pods.deleting, ...candidatePods, ...base.pods.pending]);
  const nodes = [...base.nodes];
  candidates.forEach(({ node }, index) => {
    nodes[clusterNodes.indexOf(node)] = removals[index].remaining;
  });
  const common =
    creditedReservation === undefined
      ? base.input
      : { ...base.input, settings, nodeClasses: withReservationChange(nodeClasses, creditedReservation, 1) };
  const input = withNodesAndPods(
    common,
    nodes,
    queue.map(({ group }) => group),
  );
  const solved = session.scheduling.solve(input);
  const newNodeClaims = claimsOf(solved).filter(({ pods }) => pods.length > 0);
  const onUninitialized = podGroupsOnNodes(solved, base.uninitialized);
  const failure = () => schedulingFailure({ input, solved, queue, onUninitialized, catalog });
  const destinations = () =>
    podGroupsOnNodes(solved)
      .filter(({ group }) => queue[group].group.buffer === undefined)
      .map(({ node }) => node);
  return { input, solved, newNodeClaims, failure, destinations };
}

interface SolvedSimulation extends Pick<Simulation, 'input' | 'solved'> {
  readonly queue: readonly QueuedPods[];
  /** Groups with pods on uninitialized nodes, on which Karpenter bases no decision. */
  readonly onUninitialized: ReadonlyArray<{ readonly node: string; readonly group: number }>;
  readonly catalog: Cluster['catalog'];
}

function schedulingFailure({ input, solved, queue, onUninitialized, catalog }: SolvedSimulation): string | undefined {
  const isRunning = (group: number) => queue[group] !== undefined && queue[group].pods.length > 0;
  const unevaluated = solved.notEvaluated.find(({ group }) => isRunning(group));
  if (unevaluated)
    return `not all pods can be evaluated, ${podKey(queue[unevaluated.group].pods[0])} => ${unevaluated.causes.join(', ')}`;
  const uninitializedErrors = onUninitialized
    .filter(({ group }) => isRunning(group) && !queue[group].onDeletingNode)
    .map(({ node, group }) => `${podKey(queue[group].pods[0])} => would schedule against uninitialized node/${node}`);
  const unscheduled = [...leftBehind(solved)].filter(([group]) => isRunning(group));
  if (unscheduled.length === 0)
    return uninitializedErrors.length === 0 ? undefined : errorSentence(uninitializedErrors);
  const { unschedulable } = planOf(solved, input, catalog);
  const schedulingErrors = unscheduled.flatMap(([group, count]) => {
    const reasons =
      unschedulable
        .find((pod) => pod.group === group)
        ?.reasons.map(({ message }) => message)
        .join('; ') ?? 'no NodePool is left to try';
    return queue[group].pods.slice(-count).map((pod) => `${podKey(pod)} => ${reasons}`);
  });
  return errorSentence([...schedulingErrors, ...uninitializedErrors]);
}

function errorSentence(errors: readonly string[]): string {
  const rest = errors.length > MAX_ERRORS ? ` and ${errors.length - MAX_ERRORS} other(s)` : '';
  return `not all pods would schedule, ${errors.slice(0, MAX_ERRORS).join(' ')}${rest}`;
}
