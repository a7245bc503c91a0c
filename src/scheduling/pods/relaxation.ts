import { Requirement, Requirements, Toleration } from '../../model';
import { NodeSelectorTerm, PodAffinityTerm, PodShape, TopologySpread } from '../input/pod-shape';
import { DaemonSetSpec, SchedulingSettings } from '../input/schedule-input';

/** Tolerates every PreferNoSchedule taint. */
export const TOLERATE_PREFERENCES: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

/** A pod's constraints at one step of relaxation. Karpenter tries the strictest variant first. */
export interface PodVariant {
  /** Required node affinity and node selector, with the heaviest remaining preference. */
  readonly requirements: Requirements;
  /** The same without preferences. */
  readonly strict: Requirements;
  readonly tolerations: readonly Toleration[];
  /** Node selector plus each remaining required term, ORed: the nodes that a spread constraint counts. */
  readonly nodeFilters: readonly Requirements[];
  readonly spread: readonly TopologySpread[];
  readonly affinity: readonly PodAffinityTerm[];
  readonly antiAffinity: readonly PodAffinityTerm[];
}

/** The constraints that are not relaxed yet. */
interface Remaining {
  required: ReadonlyArray<readonly Requirement[]>;
  preferred: ReadonlyArray<readonly Requirement[]>;
  affinity: readonly PodAffinityTerm[];
  antiAffinity: readonly PodAffinityTerm[];
  spread: readonly TopologySpread[];
  tolerations: readonly Toleration[];
}

/**
 * The variants of a pod in Karpenter's order of relaxation. Karpenter drops, in this order: all required node affinity
 * terms except the last; preferred pod affinity, preferred pod anti-affinity and preferred node affinity, each heaviest
 * first; ScheduleAnyway spread constraints. At last it tolerates PreferNoSchedule taints.
 *
 * @param tolerable whether some pool has a PreferNoSchedule taint, so that the last step applies
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/preferences.go
 */
export function variantsOf(shape: PodShape, tolerable: boolean, settings: SchedulingSettings): PodVariant[] {
  const variants: PodVariant[] = [];
  let remaining: Remaining | undefined = unrelaxed(shape, settings);
  while (remaining !== undefined) {
    variants.push(variantOf(shape, remaining));
    remaining = relax(remaining, tolerable);
  }
  return variants;
}

/** The variants of a daemonset pod: preferences are ignored, and each required node affinity term is an alternative. */
export function daemonVariants({ shape }: DaemonSetSpec): Array<Pick<PodVariant, 'requirements' | 'tolerations'>> {
  const tolerations = [...shape.tolerations, TOLERATE_PREFERENCES];
  const terms = shape.requiredNodeAffinity.length === 0 ? [undefined] : shape.requiredNodeAffinity;
  return terms.map((term) => ({
    requirements: selected(shape, term === undefined ? [] : expressions(term)),
    tolerations,
  }));
}

function unrelaxed(shape: PodShape, { preferencePolicy }: SchedulingSettings): Remaining {
  const respect = preferencePolicy !== 'Ignore';
  return {
    required: shape.requiredNodeAffinity.map(expressions),
    preferred: respect ? heaviestFirst(shape.preferredNodeAffinity).map(({ term }) => expressions(term)) : [],
    affinity: respect ? heaviestFirst(shape.podAffinity?.preferred ?? []).map(({ term }) => term) : [],
    antiAffinity: respect ? heaviestFirst(shape.podAntiAffinity?.preferred ?? []).map(({ term }) => term) : [],
    spread: (shape.topologySpread ?? []).filter(
      ({ whenUnsatisfiable }) => respect || whenUnsatisfiable === 'DoNotSchedule',
    ),
    tolerations: shape.tolerations,
  };
}

function expressions(term: NodeSelectorTerm): Requirement[] {
  return term.matchExpressions.map((spec) => Requirement.from(spec));
}

export function heaviestFirst<Weighted extends { readonly weight: number }>(terms: readonly Weighted[]): Weighted[] {
  return [...terms].sort((left, right) => right.weight - left.weight);
}

/** The next step of relaxation; undefined if no constraint can be relaxed further. */
function relax(remaining: Remaining, tolerable: boolean): Remaining | undefined {
  const { required, preferred, affinity, antiAffinity, spread, tolerations } = remaining;
  if (required.length > 1) return { ...remaining, required: required.slice(1) };
  if (affinity.length > 0) return { ...remaining, affinity: affinity.slice(1) };
  if (antiAffinity.length > 0) return { ...remaining, antiAffinity: antiAffinity.slice(1) };
  if (preferred.length > 0) return { ...remaining, preferred: preferred.slice(1) };
  const soft = spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  if (soft >= 0) return { ...remaining, spread: swapRemove(spread, soft) };
  if (tolerable && !tolerations.some(isPreferenceToleration))
    return { ...remaining, tolerations: [...tolerations, TOLERATE_PREFERENCES] };
  return undefined;
}

/** Moves the last item into the removed place, as Karpenter does: this decides which constraint is relaxed next. */
function swapRemove<Item>(items: readonly Item[], index: number): Item[] {
  const result = [...items];
  result[index] = result[result.length - 1];
  result.pop();
  return result;
}

function isPreferenceToleration({ key, operator, value, effect }: Toleration): boolean {
  return !key && operator === 'Exists' && !value && effect === 'PreferNoSchedule';
}

function variantOf(shape: PodShape, remaining: Remaining): PodVariant {
  const [first] = remaining.required;
  return {
    requirements: selected(shape, [...(remaining.preferred[0] ?? []), ...(first ?? [])]),
    strict: selected(shape, first ?? []),
    tolerations: remaining.tolerations,
    nodeFilters:
      remaining.required.length === 0 ? [selected(shape, [])] : remaining.required.map((term) => selected(shape, term)),
    spread: remaining.spread,
    affinity: [...(shape.podAffinity?.required ?? []), ...remaining.affinity],
    antiAffinity: [...(shape.podAntiAffinity?.required ?? []), ...remaining.antiAffinity],
  };
}

function selected(shape: PodShape, affinity: readonly Requirement[]): Requirements {
  const requirements = Requirements.fromLabels(shape.nodeSelector);
  requirements.add(...affinity);
  return requirements;
}
