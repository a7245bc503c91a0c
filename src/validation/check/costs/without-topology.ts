import { passesWithoutReasons, planOfPasses, PodShape, ScheduleInput, SchedulePlan } from '../../../scheduling';
import { RuleContext } from '../../rules';

/** So that a check of a large input does not take twice as long. */
const MAX_PODS = 2_000;

/**
 * The plan for the same pods without topology spread, affinity and anti-affinity between pods. Undefined if no pod has
 * them, if other pods are placed, and for large inputs.
 */
export function planWithoutTopology({
  input,
  plan,
  catalog,
}: Pick<RuleContext, 'input' | 'plan' | 'catalog'>):
  | { readonly input: ScheduleInput; readonly plan: SchedulePlan }
  | undefined {
  const count = input.pods.reduce((sum, group) => sum + group.count, 0);
  if (count > MAX_PODS || !input.pods.some(({ shape }) => hasTopology(shape))) return undefined;
  const freed = { ...input, pods: input.pods.map((group) => ({ ...group, shape: withoutTopology(group.shape) })) };
  const freedPlan = planOfPasses(passesWithoutReasons(freed, catalog));
  return placedPods(freedPlan) === placedPods(plan) ? { input: freed, plan: freedPlan } : undefined;
}

function hasTopology({ topologySpread = [], podAffinity, podAntiAffinity }: PodShape): boolean {
  return topologySpread.length > 0 || podAffinity !== undefined || podAntiAffinity !== undefined;
}

function withoutTopology(shape: PodShape): PodShape {
  return { ...shape, topologySpread: [], podAffinity: undefined, podAntiAffinity: undefined };
}

function placedPods({ nodeClaims, filledNodes }: SchedulePlan): number {
  return [...nodeClaims, ...filledNodes].reduce((sum, { pods }) => sum + pods.length, 0);
}
