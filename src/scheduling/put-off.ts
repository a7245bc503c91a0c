import { ScheduleInput } from './schedule-input';
import { PoolRefusal, SchedulePlan, UnschedulablePod } from './schedule-plan';
import { isStatic } from './static-pools';
import { NODES } from './templates';

/**
 * What pods of a pass wait for, that the next pass may give them: reservations that new nodes keep until they are launched, limits, which a
 * new node takes up until then as the largest instance type that it could be, or pods of which nobody knows until then in which domain they are:
 * they keep others away from all of them, draw nobody to any, and count for no spread.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go subtractMax
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go Record
 */
export interface PutOffPods {
  readonly byReservations: readonly UnschedulablePod[];
  /** Those that wait for no reservation. */
  readonly byLimits: readonly UnschedulablePod[];
  /** Those that wait for nothing else. */
  readonly byOtherPods: readonly UnschedulablePod[];
}

interface Pass {
  readonly input: ScheduleInput;
  readonly plan: SchedulePlan;
}

export function podsPutOff({ plan, input }: Pass): PutOffPods {
  const waits = ({ reasons }: UnschedulablePod, isOf: (reason: PoolRefusal) => boolean) => reasons.some(isOf);
  const isOfReservations = (pod: UnschedulablePod) => waits(pod, ({ putOff }) => putOff === true);
  const areLimitsTaken = takesLimitsUp({ plan, input });
  const isOfLimits = (pod: UnschedulablePod) => areLimitsTaken && waits(pod, ({ ofInstanceTypes }) => ofInstanceTypes === true);
  const others = plan.unschedulable.filter((pod) => !isOfReservations(pod));
  return {
    byReservations: plan.unschedulable.filter(isOfReservations),
    byLimits: others.filter(isOfLimits),
    byOtherPods: others.filter((pod) => !isOfLimits(pod) && waits(pod, ({ ofOtherPods }) => ofOtherPods === true)),
  };
}

/** Whether pods may yet come to a node in the pass after this one. Without a new node, which no static pool makes for them, that would come to the same. */
export function putsOff(pass: Pass): boolean {
  const { plan, input } = pass;
  const isAny = Object.values(podsPutOff(pass)).some((pods) => pods.length > 0);
  const ofStaticPools = new Set(input.nodePools.filter(isStatic).map(({ name }) => name));
  return isAny && plan.nodeClaims.some(({ nodePool, launch, pods }) => launch && pods.length > 0 && !ofStaticPools.has(nodePool));
}

/** So many passes in a row that place none of them are followed for pods that wait for others only. */
const MOST_IN_VAIN = 3;

/**
 * Whether another pass is worth following. A label that nodes turn out not to have never tells in which domain pods are, and each pass launches
 * nodes for the same pods again.
 *
 * @param passes so far, one at least
 */
export function goesOn(passes: readonly Pass[]): boolean {
  const last = passes[passes.length - 1];
  const { byReservations, byLimits } = podsPutOff(last);
  if (!putsOff(last)) return false;
  const [first, ...others] = passes.slice(-1 - MOST_IN_VAIN).map(({ plan }) => plan.unschedulable.length);
  return byReservations.length + byLimits.length > 0 || others.length < MOST_IN_VAIN || others.some((left) => left < first);
}

/** Whether a new node takes up more than it will once it is launched. Limits on the number of nodes are exact at once. */
function takesLimitsUp({ plan, input }: Pass): boolean {
  const limited = new Set(input.nodePools.filter(({ limits }) => [...limits.keys()].some((resource) => resource !== NODES)).map(({ name }) => name));
  return plan.nodeClaims.some(({ nodePool, launch, instanceTypes }) => launch && limited.has(nodePool) && instanceTypes.length > 1);
}
