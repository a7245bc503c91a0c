import { Requirement, Requirements, Toleration } from '../model';
import { NodeSelectorTerm, PodAffinityTerm, PodShape, TopologySpread } from './pod-shape';
import { DaemonSetSpec, SchedulingSettings } from './schedule-input';

/** A toleration that lets a pod on nodes that would rather not have it. */
export const TOLERATE_PREFERENCES: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

/** One way to read a pod's constraints; Karpenter tries the strictest first and relaxes step by step. */
export interface PodVariant {
  /** With the preference that counts for now. */
  readonly requirements: Requirements;
  /** Without any. */
  readonly strict: Requirements;
  readonly tolerations: readonly Toleration[];
  /** Requirements of the node selector and each required term still standing, ORed: the nodes that a spread constraint looks at. */
  readonly nodeFilters: readonly Requirements[];
  readonly spread: readonly TopologySpread[];
  readonly affinity: readonly PodAffinityTerm[];
  readonly antiAffinity: readonly PodAffinityTerm[];
}

/** The soft constraints still standing. */
interface Standing {
  required: ReadonlyArray<readonly Requirement[]>;
  preferred: ReadonlyArray<readonly Requirement[]>;
  affinity: readonly PodAffinityTerm[];
  antiAffinity: readonly PodAffinityTerm[];
  spread: readonly TopologySpread[];
  tolerations: readonly Toleration[];
}

/**
 * The variants of a pod in Karpenter's order of relaxation: required node-affinity terms but the last, preferred pod affinity,
 * preferred pod anti-affinity, preferred node affinity, each the heaviest first, then spread constraints that need not be met, then
 * the tolerance of PreferNoSchedule.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/preferences.go
 */
export function variantsOf(shape: PodShape, tolerable: boolean, settings: SchedulingSettings): PodVariant[] {
  const variants: PodVariant[] = [];
  let standing: Standing | undefined = start(shape, settings);
  while (standing !== undefined) {
    variants.push(variantOf(shape, standing));
    standing = relax(standing, tolerable);
  }
  return variants;
}

/** A daemonset's pod: its preferences count for nothing, and each required term is a way to be on the node. */
export function daemonVariants({ shape }: DaemonSetSpec): Array<Pick<PodVariant, 'requirements' | 'tolerations'>> {
  const tolerations = [...shape.tolerations, TOLERATE_PREFERENCES];
  const terms = shape.requiredNodeAffinity.length === 0 ? [undefined] : shape.requiredNodeAffinity;
  return terms.map((term) => ({ requirements: selected(shape, term === undefined ? [] : expressions(term)), tolerations }));
}

function start(shape: PodShape, { preferencePolicy }: SchedulingSettings): Standing {
  const respect = preferencePolicy !== 'Ignore';
  return {
    required: shape.requiredNodeAffinity.map(expressions),
    preferred: respect ? heaviestFirst(shape.preferredNodeAffinity).map(({ term }) => expressions(term)) : [],
    affinity: respect ? heaviestFirst(shape.podAffinity?.preferred ?? []).map(({ term }) => term) : [],
    antiAffinity: respect ? heaviestFirst(shape.podAntiAffinity?.preferred ?? []).map(({ term }) => term) : [],
    spread: (shape.topologySpread ?? []).filter(({ whenUnsatisfiable }) => respect || whenUnsatisfiable === 'DoNotSchedule'),
    tolerations: shape.tolerations,
  };
}

function expressions(term: NodeSelectorTerm): Requirement[] {
  return term.matchExpressions.map((spec) => Requirement.from(spec));
}

function heaviestFirst<Weighted extends { readonly weight: number }>(terms: readonly Weighted[]): Weighted[] {
  return [...terms].sort((left, right) => right.weight - left.weight);
}

/** One step further; undefined where nothing is left to give up. */
function relax(standing: Standing, tolerable: boolean): Standing | undefined {
  const { required, preferred, affinity, antiAffinity, spread, tolerations } = standing;
  if (required.length > 1) return { ...standing, required: required.slice(1) };
  if (affinity.length > 0) return { ...standing, affinity: affinity.slice(1) };
  if (antiAffinity.length > 0) return { ...standing, antiAffinity: antiAffinity.slice(1) };
  if (preferred.length > 0) return { ...standing, preferred: preferred.slice(1) };
  const soft = spread.findIndex(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  if (soft >= 0) return { ...standing, spread: withoutSwapped(spread, soft) };
  if (tolerable && !tolerations.some(isPreferenceToleration)) return { ...standing, tolerations: [...tolerations, TOLERATE_PREFERENCES] };
  return undefined;
}

/** The last takes the place of the one removed, which decides which soft constraint goes next. */
function withoutSwapped<Item>(items: readonly Item[], at: number): Item[] {
  const result = [...items];
  result[at] = result[result.length - 1];
  result.pop();
  return result;
}

function isPreferenceToleration({ key, operator, value, effect }: Toleration): boolean {
  return !key && operator === 'Exists' && !value && effect === 'PreferNoSchedule';
}

function variantOf(shape: PodShape, standing: Standing): PodVariant {
  const [first] = standing.required;
  return {
    requirements: selected(shape, [...(standing.preferred[0] ?? []), ...(first ?? [])]),
    strict: selected(shape, first ?? []),
    tolerations: standing.tolerations,
    nodeFilters: standing.required.length === 0 ? [selected(shape, [])] : standing.required.map((term) => selected(shape, term)),
    spread: standing.spread,
    affinity: [...(shape.podAffinity?.required ?? []), ...standing.affinity],
    antiAffinity: [...(shape.podAntiAffinity?.required ?? []), ...standing.antiAffinity],
  };
}

function selected(shape: PodShape, affinity: readonly Requirement[]): Requirements {
  const requirements = Requirements.fromLabels(shape.nodeSelector);
  requirements.add(...affinity);
  return requirements;
}
