import { Requirement, Requirements, ResourceList, Toleration } from '../model';
import { DaemonSetSpec, NodePoolSpec, PodGroup, PodShape, SchedulingSettings } from './domain';

/** A toleration that lets a pod on nodes that would rather not have it. */
const TOLERATE_PREFERENCES: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

/** One way to read a pod's constraints; Karpenter tries the strictest first and relaxes step by step. */
export interface PodVariant {
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
}

/** Pods that Karpenter cannot tell apart. */
export interface PodClass {
  /** With the pod itself as one of `pods`. */
  readonly requests: ResourceList;
  /** Least relaxed first. */
  readonly variants: readonly PodVariant[];
}

export interface ClassifiedPods {
  readonly classes: readonly PodClass[];
  /** Per group: its class. */
  readonly classOf: readonly number[];
}

export function classify(groups: readonly PodGroup[], pools: readonly NodePoolSpec[], settings: SchedulingSettings): ClassifiedPods {
  const tolerable = pools.some((pool) => pool.taints.some((taint) => taint.effect === 'PreferNoSchedule'));
  const classes: PodClass[] = [];
  const numbers = new Map<string, number>();
  const classOf = groups.map(({ shape }) => {
    const key = identity(shape);
    let found = numbers.get(key);
    if (found === undefined) {
      found = classes.length;
      numbers.set(key, found);
      classes.push({ requests: withPod(shape.requests), variants: variantsOf(shape, tolerable, settings) });
    }
    return found;
  });
  return { classes, classOf };
}

/** A daemonset's pod: its preferences count for nothing, and each required term is a way to be on the node. */
export function daemonVariants({ shape }: DaemonSetSpec): PodVariant[] {
  const tolerations = [...shape.tolerations, TOLERATE_PREFERENCES];
  const terms = shape.requiredNodeAffinity.length === 0 ? [undefined] : shape.requiredNodeAffinity;
  return terms.map((term) => ({ requirements: requirementsOf(shape, term?.matchExpressions.map(Requirement.from) ?? []), tolerations }));
}

export function withPod(requests: ResourceList): ResourceList {
  return new Map([...requests, ['pods', 1n]]);
}

/**
 * Karpenter's order of relaxation, as far as node affinity and taints go: required terms but the last, then preferred terms by
 * falling weight, then the tolerance of PreferNoSchedule.
 */
function variantsOf(shape: PodShape, tolerable: boolean, settings: SchedulingSettings): PodVariant[] {
  const required = shape.requiredNodeAffinity.map((term) => term.matchExpressions.map(Requirement.from));
  const preferred = settings.preferencePolicy === 'Ignore' ? [] : [...shape.preferredNodeAffinity]
    .sort((left, right) => right.weight - left.weight)
    .map(({ term }) => term.matchExpressions.map(Requirement.from));
  const variants: PodVariant[] = [];
  const lastTerm = Math.max(0, required.length - 1);
  const push = (term: number, preference: number, tolerations: readonly Toleration[]) => variants.push({
    requirements: requirementsOf(shape, [...(preferred[preference] ?? []), ...(required[term] ?? [])]),
    tolerations,
  });
  for (let term = 0; term <= lastTerm; term++) push(term, 0, shape.tolerations);
  for (let preference = 1; preference <= preferred.length; preference++) push(lastTerm, preference, shape.tolerations);
  if (tolerable && !shape.tolerations.some(isPreferenceToleration)) {
    push(lastTerm, preferred.length, [...shape.tolerations, TOLERATE_PREFERENCES]);
  }
  return variants;
}

function isPreferenceToleration({ key, operator, value, effect }: Toleration): boolean {
  return !key && operator === 'Exists' && !value && effect === 'PreferNoSchedule';
}

function requirementsOf(shape: PodShape, affinity: readonly Requirement[]): Requirements {
  const requirements = Requirements.fromLabels(shape.nodeSelector);
  requirements.add(...affinity);
  return requirements;
}

/** Equal for shapes that schedule alike. */
function identity(shape: PodShape): string {
  return JSON.stringify([
    [...shape.requests].sort(byKey).map(([resource, amount]) => [resource, String(amount)]),
    Object.entries(shape.nodeSelector).sort(byKey),
    shape.requiredNodeAffinity,
    shape.preferredNodeAffinity,
    shape.tolerations,
  ]);
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
