import { allNames } from './pod-name';
import { heaviestFirst } from './relaxation';
import {
  isRestrictedLabel,
  Label,
  listText,
  memoizeByIdentity,
  normalizeLabelKey,
  Requirements,
  RequirementSpec,
  WELL_KNOWN_VALUES,
} from '../../model';
import { PodShape } from '../input/pod-shape';
import { PodGroup, ScheduleInput } from '../input/schedule-input';
import { UnevaluatedPods, UnschedulablePod } from '../schedule-plan';

/** The kernel's memory holds at least this many pods; groups beyond the bound are reported as not evaluated. */
export const MAX_PODS = 200_000;

/** Karpenter's own words. */
const IGNORED_RESOURCE_CLAIMS =
  'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';

const NOT_ON_PROVISIONED_NODES = 'configured to not run on a Karpenter provisioned node';

/** Why pods that require the absence of `karpenter.sh/nodepool` are not evaluated. */
export const NOT_ON_KARPENTER_NODES = 'configured to not run on a Karpenter node';

/** Which pods are scheduled. */
export interface Admission {
  /** The groups to schedule, as indices into `ScheduleInput.pods`. */
  readonly indices: readonly number[];
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly ignored: readonly UnschedulablePod[];
  /** Groups that are not scheduled, but whose required anti-affinity still applies to the others. */
  readonly unscheduledPods: readonly number[];
}

export function admit(input: ScheduleInput): Admission {
  const notEvaluated: UnevaluatedPods[] = [];
  const ignored: UnschedulablePod[] = [];
  const indices: number[] = [];
  const unscheduledPods: number[] = [];
  let podCount = 0;
  input.pods.forEach((group, index) => {
    if (group.count === 0) return;
    if (podCount + group.count > MAX_PODS) {
      const causes = [`${group.count} pods: one check schedules at most ${MAX_PODS} pods`];
      notEvaluated.push({ pods: [`${group.namespace}/${group.name}-*`], count: group.count, group: index, causes });
      return;
    }
    podCount += group.count;
    const verdict = eligibility(group, input);
    if (verdict.kind === 'schedule') {
      indices.push(index);
    } else if (verdict.kind === 'unevaluated') {
      notEvaluated.push({ pods: allNames(group), group: index, causes: verdict.causes });
    } else {
      const reasons: UnschedulablePod['reasons'] = [
        { nodePool: '', independentOfSize: true, message: verdict.message },
      ];
      for (const pod of allNames(group)) ignored.push({ pod, group: index, reasons });
      if (verdict.inBatch) unscheduledPods.push(index);
    }
  });
  return { indices, notEvaluated, ignored, unscheduledPods };
}

/** What to do with a group of pods before scheduling. */
type Eligibility =
  | { readonly kind: 'schedule' }
  | { readonly kind: 'unevaluated'; readonly causes: readonly string[] }
  /** `inBatch`: Karpenter takes the pods into its batch, and rejects them when it reaches them. */
  | { readonly kind: 'ignored'; readonly message: string; readonly inBatch?: boolean };

const SCHEDULE: Eligibility = { kind: 'schedule' };

/** Whether Karpenter would schedule the pods, and whether the input contains everything that decides about them. */
function eligibility({ shape, buffer, rescheduled = false }: PodGroup, input: ScheduleInput): Eligibility {
  if (input.nodePools.length === 0)
    return { kind: 'unevaluated', causes: ['the input has no NodePool that can be evaluated'] };
  if (input.nodeClasses.size === 0)
    return { kind: 'unevaluated', causes: ['the input has no EC2NodeClass that can be evaluated'] };
  // Karpenter does not validate virtual pods of a CapacityBuffer.
  const { rejection } = buffer === undefined ? (rescheduled ? rejectionOfRunning : rejectionOf)(shape) : NOT_REJECTED;
  if (rejection) return rejection;
  if (shape.resourceClaims && input.settings.ignoreDraRequests !== false)
    return { kind: 'ignored', message: IGNORED_RESOURCE_CLAIMS, inBatch: true };
  if (shape.resourceClaims) return { kind: 'unevaluated', causes: ['resource claims', ...shape.notEvaluated] };
  return shape.notEvaluated.length > 0 ? { kind: 'unevaluated', causes: shape.notEvaluated } : SCHEDULE;
}

interface Rejection {
  readonly rejection?: Eligibility;
}

const NOT_REJECTED: Rejection = {};

/** Why Karpenter does not consider the pods. Hot path: most pods select no nodes, and skip the checks of selectors. */
const rejectionOf = memoizeByIdentity((shape: PodShape): Rejection => {
  const { nodeSelector, requiredNodeAffinity, preferredNodeAffinity } = shape;
  const selectsNodes =
    requiredNodeAffinity.length > 0 || preferredNodeAffinity.length > 0 || Object.keys(nodeSelector).length > 0;
  return { rejection: (selectsNodes ? nodeSelectionRejection(shape) : undefined) ?? ignoredShape(shape) };
});

/** Karpenter does not check how running pods select nodes. */
const rejectionOfRunning = memoizeByIdentity((shape: PodShape): Rejection => ({ rejection: ignoredShape(shape) }));

function ignoredShape(shape: PodShape): Eligibility | undefined {
  return shape.ignored === undefined ? undefined : { kind: 'ignored', message: `ignoring pod, ${shape.ignored}` };
}

function nodeSelectionRejection(shape: PodShape): Eligibility | undefined {
  const rejection = nodePoolRejection(shape);
  if (rejection !== undefined) return rejection;
  if (isForNodesOfOthers(shape)) return { kind: 'unevaluated', causes: [NOT_ON_KARPENTER_NODES] };
  const restricted = restrictedKey(
    shape.nodeSelector,
    shape.requiredNodeAffinity.flatMap((term) => term.matchExpressions.map(({ key }) => key)),
  );
  if (restricted !== undefined) {
    return {
      kind: 'ignored',
      message: `label ${restricted} is restricted: Karpenter ignores pods that select nodes by it`,
    };
  }
  const unknown = unknownValue(shape);
  return unknown === undefined ? undefined : { kind: 'ignored', message: unknown };
}

/** The label of Karpenter's nodes before 0.32. */
const LEGACY_NODE_POOL = 'karpenter.sh/provisioner-name';

/** Whether the pods exclude Karpenter's nodes as before 0.32, like Karpenter's own pods. Karpenter ignores them. */
function isForNodesOfOthers({ requiredNodeAffinity }: PodShape): boolean {
  const excludes = ({ key, operator }: RequirementSpec) => key === LEGACY_NODE_POOL && operator === 'DoesNotExist';
  return requiredNodeAffinity.length > 0 && requiredNodeAffinity.every((term) => term.matchExpressions.some(excludes));
}

/** Operators that a node without the label meets. */
const MET_WITHOUT_LABEL: readonly string[] = ['NotIn', 'DoesNotExist'];

/**
 * Rejects pods that no NodePool can serve by name. Karpenter counts the heaviest preference as required here, even with
 * preferencePolicy Ignore.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go validateKarpenterManagedLabelCanExist
 */
function nodePoolRejection({
  nodeSelector,
  requiredNodeAffinity,
  preferredNodeAffinity,
}: PodShape): Eligibility | undefined {
  const selected = Object.entries(nodeSelector).map(
    ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }),
  );
  const required = onNodePool([...selected, ...(requiredNodeAffinity[0]?.matchExpressions ?? [])]);
  const [heaviest] = heaviestFirst(preferredNodeAffinity);
  const preferred = onNodePool(heaviest?.term.matchExpressions ?? []);
  if (allowsNodePool([...preferred, ...required])) return undefined;
  if (allowsNodePool(required)) return { kind: 'ignored', message: refusedPreference(required, preferred) };
  // The pod is meant for nodes of others.
  if (required.every(({ operator }) => MET_WITHOUT_LABEL.includes(operator)))
    return { kind: 'unevaluated', causes: [NOT_ON_KARPENTER_NODES] };
  return { kind: 'ignored', message: `${NOT_ON_PROVISIONED_NODES}: ${textOf(required)} leaves no NodePool` };
}

function onNodePool(specs: readonly RequirementSpec[]): RequirementSpec[] {
  return specs.filter(({ key }) => normalizeLabelKey(key) === Label.NODE_POOL);
}

function allowsNodePool(specs: readonly RequirementSpec[]): boolean {
  return Requirements.from(specs).get(Label.NODE_POOL).operator() !== 'DoesNotExist';
}

function refusedPreference(required: readonly RequirementSpec[], preferred: readonly RequirementSpec[]): string {
  const conflict = required.length === 0 ? '' : `, and ${textOf(required)} is required`;
  return `${NOT_ON_PROVISIONED_NODES}: ${textOf(preferred)} is its heaviest preference, which Karpenter counts as required here${conflict}; remove the preference`;
}

function textOf(specs: readonly RequirementSpec[]): string {
  return listText(
    specs.map(
      ({ key, operator, values = [] }) => `${key} ${operator}${values.length === 0 ? '' : ` [${values.join(' ')}]`}`,
    ),
  );
}

function restrictedKey(
  nodeSelector: Readonly<Record<string, string>>,
  affinityKeys: readonly string[],
): string | undefined {
  return [...Object.keys(nodeSelector), ...affinityKeys].find(isRestrictedLabel);
}

function unknownValue({ nodeSelector, requiredNodeAffinity }: PodShape): string | undefined {
  const wanted = [
    ...Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...requiredNodeAffinity.flatMap((term) => term.matchExpressions),
  ];
  for (const { key, operator, values = [] } of wanted) {
    const wellKnown = WELL_KNOWN_VALUES.get(normalizeLabelKey(key));
    if (wellKnown === undefined || operator !== 'In' || values.some((value) => wellKnown.has(value))) continue;
    return `no valid values found in [${values.join(' ')}] for ${key}, expected one of [${[...wellKnown].join(' ')}]: Karpenter ignores the pod`;
  }
  return undefined;
}
