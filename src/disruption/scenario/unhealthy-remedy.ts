import { PodLimits } from '../pdb';
import { podKey } from '../pod-eviction';
import { World } from './world';

/** As Karpenter has it, and as drains do. */
const ONE_BUDGET = /PodDisruptionBudget(?: |=\[)([^\s\]]+)[ \]]/;

/**
 * What helps where a PodDisruptionBudget keeps a pod because others of its pods wait for a node: with these it would let one go. Or because
 * Kubernetes cannot tell how many there should be.
 *
 * @param why a pod is kept
 */
export function unhealthyRemedy(why: string, world: World): string | undefined {
  const [, key] = ONE_BUDGET.exec(why) ?? [];
  const limits = new PodLimits(world.snapshot());
  const limit = limits.all.find((each) => each.key === key);
  if (!limit) return undefined;
  if (limit.isUnknown) return 'write a number as its minAvailable: of pods whose controller has no scale, as a Job has none, Kubernetes works out nothing else';
  const waiting = [...world.pods.pending().map(({ pod }) => pod), ...world.ordered.notMade].filter((pod) => limits.of(pod).includes(limit));
  const [first, ...others] = waiting.map(podKey);
  if (first === undefined && limit.wanted > Math.max(limit.pods, limit.desiredHealthy) && limit.healthy <= limit.desiredHealthy) {
    return `see to it that all ${limit.wanted} pods of the workload have nodes: with ${limit.healthy} that are ready the PodDisruptionBudget lets none go`;
  }
  if (first === undefined || limit.pods + waiting.length <= limit.desiredHealthy) return undefined;
  const who = others.length === 0 ? `pod ${first} has a node` : `pod ${first} and ${others.length} more have nodes`;
  return `see to it that ${who}: before ${others.length === 0 ? 'it is' : 'they are'} ready the PodDisruptionBudget lets no other go`;
}
