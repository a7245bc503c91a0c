import { isRestrictedLabel, Label, normalizeLabelKey, oncePer, Requirements, WELL_KNOWN_VALUES } from '../model';
import { PodShape } from './pod-shape';
import { PodGroup, ScheduleInput } from './schedule-input';

/** Karpenter's own words. */
const IGNORED_CLAIMS = 'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';

/** What to do with a group of pods before any packing. */
export type Eligibility =
  | { readonly kind: 'schedule' }
  | { readonly kind: 'unevaluated'; readonly what: readonly string[] }
  /** `inBatch`: taken up with the others, and given up as soon as its turn comes. */
  | { readonly kind: 'ignored'; readonly message: string; readonly inBatch?: boolean };

/** Whether Karpenter would take up the pods at all, and whether all that decides about them is known here. */
export function eligibility({ shape, buffer }: PodGroup, input: ScheduleInput): Eligibility {
  if (input.nodePools.length === 0) return { kind: 'unevaluated', what: ['there is no NodePool in the input that can be judged'] };
  if (input.nodeClasses.size === 0) return { kind: 'unevaluated', what: ['there is no EC2NodeClass in the input that can be judged'] };
  const { refused } = buffer === undefined ? refusalOf(shape) : NOT_REFUSED;
  if (refused) return refused;
  if (shape.resourceClaims && input.settings.ignoreDraRequests !== false) return { kind: 'ignored', message: IGNORED_CLAIMS, inBatch: true };
  if (shape.resourceClaims) return { kind: 'unevaluated', what: ['resource claims', ...shape.notEvaluated] };
  return shape.notEvaluated.length > 0 ? { kind: 'unevaluated', what: shape.notEvaluated } : SCHEDULED;
}

const refusalOf = oncePer((shape: PodShape): { readonly refused?: Eligibility } => ({ refused: refusal(shape) }));
/** Most are. */
const SCHEDULED: Eligibility = { kind: 'schedule' };
const NOT_REFUSED: ReturnType<typeof refusalOf> = {};

/** Why Karpenter does not take the pods up. */
function refusal(shape: PodShape): Eligibility | undefined {
  return selectsNodes(shape) ? refusedSelection(shape) ?? ignored(shape) : ignored(shape);
}

/** Few do, and there may be many pods. */
function selectsNodes({ nodeSelector, requiredNodeAffinity }: PodShape): boolean {
  return requiredNodeAffinity.length > 0 || Object.keys(nodeSelector).length > 0;
}

function ignored(shape: PodShape): Eligibility | undefined {
  return shape.ignored === undefined ? undefined : { kind: 'ignored', message: `ignoring pod, ${shape.ignored}` };
}

function refusedSelection(shape: PodShape): Eligibility | undefined {
  const affinity = (shape.requiredNodeAffinity[0]?.matchExpressions ?? []);
  const pool = Requirements.from([...Object.entries(shape.nodeSelector)
    .map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })), ...affinity]).get(Label.NODE_POOL);
  if (pool.operator() === 'DoesNotExist') return { kind: 'unevaluated', what: ['configured to not run on a Karpenter node'] };
  const restricted = restrictedKey(shape.nodeSelector, shape.requiredNodeAffinity.flatMap((term) => term.matchExpressions.map(({ key }) => key)));
  if (restricted !== undefined) {
    return { kind: 'ignored', message: `label ${restricted} is restricted: Karpenter ignores pods that select nodes by it` };
  }
  const unknown = unknownValue(shape);
  return unknown === undefined ? undefined : { kind: 'ignored', message: unknown };
}

function restrictedKey(nodeSelector: Readonly<Record<string, string>>, affinityKeys: readonly string[]): string | undefined {
  return [...Object.keys(nodeSelector), ...affinityKeys].find(isRestrictedLabel);
}

function unknownValue({ nodeSelector, requiredNodeAffinity }: PodShape): string | undefined {
  const wanted = [
    ...Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...requiredNodeAffinity.flatMap((term) => term.matchExpressions),
  ];
  for (const { key, operator, values = [] } of wanted) {
    const known = WELL_KNOWN_VALUES.get(normalizeLabelKey(key));
    if (known === undefined || operator !== 'In' || values.some((value) => known.has(value))) continue;
    return `no valid values found in [${values.join(' ')}] for ${key}, expected one of [${[...known].join(' ')}]: Karpenter ignores the pod`;
  }
  return undefined;
}
