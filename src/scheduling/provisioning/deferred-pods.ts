import { SolvedInput } from './solve';
import { fits, ResourceList } from '../../model';
import { PodAffinity, PodShape } from '../input/pod-shape';
import { isStatic, ScheduleInput } from '../input/schedule-input';
import { NODES } from '../launch/pool-template';
import { NodeViews } from '../nodes/existing-nodes';
import { unregisteredNode } from '../nodes/launched-node';
import { podRequests } from '../nodes/node-facts';
import { PoolRefusal, SchedulePlan, UnschedulablePod } from '../schedule-plan';

/**
 * Pods without a node that the next pass may schedule, by what they wait for:
 * - reservations, because new nodes hold every reservation that they could use until they are launched;
 * - limits, because until its launch a new node counts as the largest instance type that it could be;
 * - other pods on new nodes, because their domain is unknown until the launch. Until then, anti-affinity excludes every
 *   domain that they may get, affinity does not find them, and topology spread does not count them;
 * - DaemonSets, because until its launch a new node has room for each DaemonSet that it could run.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go subtractMax
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go Record
 */
export interface DeferredPods {
  readonly byReservations: readonly UnschedulablePod[];
  /** Pods that wait for limits, and not for reservations. */
  readonly byLimits: readonly UnschedulablePod[];
  /** Pods that wait for other pods, and not for reservations or limits. */
  readonly byOtherPods: readonly UnschedulablePod[];
  /** Pods that wait only for the room of DaemonSets. */
  readonly byDaemonSets: readonly UnschedulablePod[];
}

interface Pass {
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  readonly plan: SchedulePlan;
}

export function deferredPods({ plan, input, solved }: Pass): DeferredPods {
  const hasReason = ({ reasons }: UnschedulablePod, matches: (reason: PoolRefusal) => boolean) => reasons.some(matches);
  const waitsForReservations = (pod: UnschedulablePod) => hasReason(pod, ({ deferred }) => deferred === true);
  const areLimitsOverestimated = overestimatesLimits({ plan, input });
  const waitsForLimits = (pod: UnschedulablePod) =>
    areLimitsOverestimated && hasReason(pod, ({ noInstanceTypeLeft }) => noInstanceTypeLeft === true);
  const unreserved = plan.unschedulable.filter((pod) => !waitsForReservations(pod));
  const waitsForOtherPods = (pod: UnschedulablePod) =>
    hasReason(pod, ({ blockedByOtherPods }) => blockedByOtherPods === true) || mayHaveLostTerms(pod, input);
  const unlimited = unreserved.filter((pod) => !waitsForLimits(pod));
  const hasRoom = roomAfterLaunch(solved, plan);
  const waitsForDaemonSets = (pod: UnschedulablePod) =>
    hasReason(pod, ({ noInstanceTypeLeft }) => noInstanceTypeLeft === true) && hasRoom(input.pods[pod.group].shape);
  return {
    byReservations: plan.unschedulable.filter(waitsForReservations),
    byLimits: unreserved.filter(waitsForLimits),
    byOtherPods: unlimited.filter(waitsForOtherPods),
    byDaemonSets: unlimited.filter((pod) => !waitsForOtherPods(pod) && waitsForDaemonSets(pod)),
  };
}

/**
 * Whether other pods may have kept the pod from the earlier of its ORed node affinity terms. Karpenter drops these
 * terms before preferences of topology, and only blames what the last term does not meet.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/preferences.go
 */
function mayHaveLostTerms({ group, reasons }: UnschedulablePod, { pods }: ScheduleInput): boolean {
  const isTried = reasons.some(({ nodePool }) => nodePool !== '');
  const { requiredNodeAffinity, topologySpread = [], podAffinity, podAntiAffinity } = pods[group].shape;
  const hasTerms = (affinity: PodAffinity | undefined) =>
    affinity !== undefined && affinity.required.length + affinity.preferred.length > 0;
  return (
    isTried &&
    requiredNodeAffinity.length > 1 &&
    (topologySpread.length > 0 || hasTerms(podAffinity) || hasTerms(podAntiAffinity))
  );
}

/**
 * Whether the next pass may schedule more pods. It can only if this pass launches a node of a dynamic pool for pods.
 */
export function defersPods(pass: Pass): boolean {
  const { plan, input } = pass;
  const isAny = Object.values(deferredPods(pass)).some((pods) => pods.length > 0);
  const staticPools = new Set(input.nodePools.filter(isStatic).map(({ name }) => name));
  return (
    isAny &&
    plan.nodeClaims.some(({ nodePool, launch, pods }) => launch && pods.length > 0 && !staticPools.has(nodePool))
  );
}

/** Stops after this many passes in a row that schedule none of the pods that only wait for other pods. */
const MAX_PASSES_WITHOUT_PROGRESS = 3;

/**
 * Whether to simulate another pass. Pods that wait for other pods may wait forever: if launched nodes do not get the
 * topology label, their domain stays unknown, and every pass launches nodes for the same pods again.
 *
 * @param passes the passes so far, at least one
 */
export function shouldRunAnotherPass(passes: readonly Pass[]): boolean {
  const last = passes[passes.length - 1];
  const { byReservations, byLimits } = deferredPods(last);
  if (!defersPods(last)) return false;
  const [first, ...later] = passes.slice(-1 - MAX_PASSES_WITHOUT_PROGRESS).map(({ plan }) => plan.unschedulable.length);
  return (
    byReservations.length + byLimits.length > 0 ||
    later.length < MAX_PASSES_WITHOUT_PROGRESS ||
    later.some((left) => left < first)
  );
}

/**
 * Whether a new node counts for more of its pool's limits than after its launch. A limit on the number of nodes is
 * always exact.
 */
function overestimatesLimits({ plan, input }: Pick<Pass, 'plan' | 'input'>): boolean {
  const limited = new Set(
    input.nodePools
      .filter(({ limits }) => [...limits.keys()].some((resource) => resource !== NODES))
      .map(({ name }) => name),
  );
  return plan.nodeClaims.some(
    ({ nodePool, launch, instanceTypes }) => launch && limited.has(nodePool) && instanceTypes.length > 1,
  );
}

/**
 * Tests whether a pod fits onto one of the launched nodes, without other pods, because fewer DaemonSets run there than
 * its claim has room for. A claim has room for a DaemonSet for on-demand nodes until it is launched on spot capacity.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go getCompatibleDaemonPods
 */
function roomAfterLaunch(solvedInput: SolvedInput, plan: SchedulePlan): (shape: PodShape) => boolean {
  let rooms: readonly ResourceList[] | undefined;
  return (shape) => {
    rooms ??= largerRooms(solvedInput, plan);
    return rooms.some((room) => fits(podRequests(shape), room));
  };
}

/** The resources that the DaemonSets of the launched nodes leave, if they are more than those of the claims. */
function largerRooms({ workload, solved }: SolvedInput, { nodeClaims }: SchedulePlan): ResourceList[] {
  const { templates, daemonSets, relaxedDaemonSets } = workload;
  if (daemonSets.length === 0 || solved === undefined) return [];
  const views = new NodeViews(relaxedDaemonSets);
  const byOffer = new Map<string, readonly ResourceList[]>();
  for (const claim of nodeClaims) {
    const index = templates.findIndex(({ pool }) => pool.name === claim.nodePool);
    const offer = claim.launch?.cheapest;
    if (!offer || index < 0) continue;
    const key = JSON.stringify([index, offer, claim.requirements.map((requirement) => requirement.toString())]);
    if (byOffer.has(key)) continue;
    const type = templates[index].table.names.indexOf(offer.instanceType);
    const assumed = solved.groups[index].find(({ has }) => has(type))?.overhead ?? new Map();
    const node = unregisteredNode(claim.id, templates[index], offer, claim, 0);
    const { remaining } = views.get(node);
    const isLarger = [...assumed].some(
      ([resource, amount]) => (remaining.get(resource) ?? 0n) > (node.allocatable.get(resource) ?? 0n) - amount,
    );
    byOffer.set(key, isLarger ? [remaining] : []);
  }
  return [...byOffer.values()].flat();
}
