/**
 * What a CapacityBuffer (autoscaling.x-k8s.io/v1beta1) may hold.
 *
 * Sources: autoscaling.x-k8s.io_capacitybuffers.yaml as shipped with Karpenter for AWS 1.15.1; what Karpenter then makes of it:
 * pkg/controllers/capacitybuffer and pkg/utils/apps in sigs.k8s.io/karpenter v1.15.0.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { checkQuantities, negativeQuantities } from './quantity-rule';
import { asRecord, checkInteger, checkString, checkText, ifPresent, IntegerRule, rejected, withConsequence } from './value-rule';

export const BUFFER_COUNT: IntegerRule = { min: 0, max: 2 ** 31 - 1 };
/** What the API server fills in for `spec.provisioningStrategy`. */
export const DEFAULT_PROVISIONING_STRATEGY = 'buffer.x-k8s.io/active-capacity';
/** Kinds of the group `apps` that Karpenter can read a pod and a number of replicas from. */
export const SCALABLE_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];
export const SCALABLE_GROUP = 'apps';

type Spec = Readonly<Record<string, unknown>>;

/** Every problem of a CapacityBuffer's `spec`, given as in its manifest; an empty list if Karpenter accepts it all. */
export function checkCapacityBufferSpec(raw: unknown): FieldProblem[] {
  const spec = asRecord(raw);
  if (!spec) return [rejected(['spec'], 'must be an object', raw, 'write podTemplateRef or scalableRef, and replicas')];
  const { replicas, percentage, limits, provisioningStrategy } = spec;
  return [
    ...checkReference(spec),
    ...ifPresent(replicas, () => checkInteger(['spec', 'replicas'], replicas, BUFFER_COUNT)),
    ...ifPresent(percentage, () => checkInteger(['spec', 'percentage'], percentage, BUFFER_COUNT)),
    ...ifPresent(limits, () => checkLimits(['spec', 'limits'], limits)),
    ...ifPresent(provisioningStrategy, () => checkString(['spec', 'provisioningStrategy'], provisioningStrategy)),
    ...checkSizing(spec),
  ];
}

function checkReference({ podTemplateRef, scalableRef }: Spec): FieldProblem[] {
  const given = Object.entries({ podTemplateRef, scalableRef }).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 2) return [rejected(['spec', 'scalableRef'], 'must be absent where podTemplateRef is set', scalableRef, 'remove one of them')];
  if (given.length === 0) {
    return [withConsequence('not-ready', ['spec', 'scalableRef'], 'must be set, or else podTemplateRef', undefined, 'write { kind: Deployment, name }')];
  }
  return [
    ...ifPresent(podTemplateRef, () => checkText(['spec', 'podTemplateRef', 'name'], asRecord(podTemplateRef)?.name)),
    ...ifPresent(scalableRef, () => checkScalable(['spec', 'scalableRef'], asRecord(scalableRef) ?? {})),
  ];
}

function checkScalable(path: FieldPath, { apiGroup, kind, name }: Spec): FieldProblem[] {
  const isKnown = typeof kind !== 'string' || kind === '' || SCALABLE_KINDS.includes(kind);
  return [
    ...ifPresent(apiGroup, () => apiGroup === '' || apiGroup === SCALABLE_GROUP ? [] :
      [withConsequence('not-ready', [...path, 'apiGroup'], `must be ${SCALABLE_GROUP}`, apiGroup, `write ${SCALABLE_GROUP}, without a version`)]),
    ...checkText([...path, 'kind'], kind),
    ...(isKnown ? [] : [withConsequence('not-ready', [...path, 'kind'], `must be one of ${SCALABLE_KINDS.join(', ')}`, kind, 'use podTemplateRef for other pods')]),
    ...checkText([...path, 'name'], name),
  ];
}

function checkLimits(path: FieldPath, limits: unknown): FieldProblem[] {
  return [
    ...checkQuantities(path, limits, '{ cpu: 10, memory: 20Gi }'),
    ...negativeQuantities(limits).map((resource) =>
      withConsequence('misread', [...path, resource], 'must not be negative, or the buffer is empty', asRecord(limits)![resource], 'write 0 or more')),
  ];
}

/** How many pods the buffer is for: nothing says it by default. */
function checkSizing({ podTemplateRef, replicas, percentage, limits }: Spec): FieldProblem[] {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  if (isGiven(podTemplateRef)) {
    const unsized = isGiven(replicas) || isGiven(limits) ? [] :
      [rejected(['spec', 'replicas'], 'must be set, or else limits, where podTemplateRef is set', undefined, 'write how many pods to keep room for')];
    return [...unsized, ...ifPresent(percentage, () => [withConsequence('misread', ['spec', 'percentage'],
      'must be absent where podTemplateRef is set, which has no replicas', percentage, 'write replicas')])];
  }
  if ([replicas, percentage, limits].some(isGiven)) return [];
  return [withConsequence('misread', ['spec', 'replicas'], 'must be set, or else percentage or limits, or the buffer is empty', undefined, 'write how many pods to keep room for')];
}
