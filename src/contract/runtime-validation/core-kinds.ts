/**
 * Runtime validation of the kinds that belong to Karpenter's core.
 *
 * Sources in sigs.k8s.io/karpenter v1.15.0: NodePool.RuntimeValidate in pkg/apis/v1/nodepool_validation.go and
 * nodeclaim_validation.go, NodeOverlay.RuntimeValidate in pkg/apis/v1alpha1/nodeoverlay_validation.go,
 * resolveAndUpdateStatus in pkg/controllers/capacitybuffer/controller.go, and ResolveScalableRef in pkg/utils/apps.
 */
import { Label } from '../../model';
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { isLabelValue, isQualifiedName, LABEL_KEY_REMEDY, LABEL_VALUE_REMEDY } from '../label-syntax';
import { checkRequirements, checkUnrestricted } from './requirements';

const TEMPLATE: FieldPath = ['spec', 'template'];

export function checkNodePool(spec: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const template = asRecord(spec.template);
  const nodeSpec = asRecord(template?.spec) ?? {};
  return [
    ...checkLabels([...TEMPLATE, 'metadata', 'labels'], asRecord(asRecord(template?.metadata)?.labels) ?? {}, version),
    ...checkTaints([...TEMPLATE, 'spec'], nodeSpec),
    ...checkRequirements([...TEMPLATE, 'spec', 'requirements'], nodeSpec.requirements, version),
  ];
}

function checkLabels(path: FieldPath, labels: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const labelPath = [...path, key];
    return [
      ...(isQualifiedName(key) ? [] : [notReady(labelPath, 'must be a label key', key, LABEL_KEY_REMEDY)]),
      ...(typeof value === 'string' && !isLabelValue(value)
        ? [notReady(labelPath, 'must be a label value', value, LABEL_VALUE_REMEDY)]
        : []),
      ...(key === Label.NODE_POOL
        ? [notReady(labelPath, `must not be ${key}, which Karpenter sets itself`, key, 'remove it')]
        : checkUnrestricted(labelPath, key, version)),
    ];
  });
}

/** Checks both lists together: a pair of key and effect must be unique across taints and startup taints. */
function checkTaints(path: FieldPath, spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const seen = new Set<string>();
  return ['taints', 'startupTaints'].flatMap((field) => {
    const list: readonly unknown[] = Array.isArray(spec[field]) ? spec[field] : [];
    return list.flatMap((raw, i) => checkTaint([...path, field, i], asRecord(raw) ?? {}, seen));
  });
}

function checkTaint(
  path: FieldPath,
  { key, value, effect }: Readonly<Record<string, unknown>>,
  seen: Set<string>,
): FieldProblem[] {
  // If the key or effect is not a string, the API server has already rejected the taint.
  const id = typeof key === 'string' && typeof effect === 'string' ? `${key}:${effect}` : undefined;
  const repeated = id !== undefined && seen.has(id);
  if (id !== undefined) seen.add(id);
  return [
    ...(typeof key === 'string' && !isQualifiedName(key)
      ? [notReady([...path, 'key'], 'must be a taint key', key, LABEL_KEY_REMEDY)]
      : []),
    ...(typeof value === 'string' && value !== '' && !isQualifiedName(value)
      ? [notReady([...path, 'value'], 'must be a taint value', value, LABEL_KEY_REMEDY)]
      : []),
    ...(repeated
      ? [
          notReady(
            path,
            'must not repeat the key and effect of another taint or startup taint',
            id,
            'remove one of them, or change its key',
          ),
        ]
      : []),
  ];
}
/** With those that Karpenter for AWS adds (WellKnownResources in pkg/apis/v1/labels.go of 1.8.6 to 1.15.1). */
const WELL_KNOWN_RESOURCES: readonly string[] = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
  'vpc.amazonaws.com/pod-eni',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
  'habana.ai/gaudi',
  'vpc.amazonaws.com/efa',
];

export function checkNodeOverlay(spec: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const path: FieldPath = ['spec', 'requirements'];
  return [
    ...checkRequirements(path, spec.requirements, version),
    ...(Array.isArray(spec.requirements) ? spec.requirements : []).flatMap((raw, i) =>
      checkNotIn([...path, i], asRecord(raw) ?? {}),
    ),
    ...Object.entries(asRecord(spec.capacity) ?? {})
      .filter(([resource]) => WELL_KNOWN_RESOURCES.includes(resource))
      .map(([resource, amount]) =>
        notReady(
          ['spec', 'capacity', resource],
          'must not be a resource that Karpenter computes itself',
          amount,
          'remove it',
        ),
      ),
  ];
}

function checkNotIn(path: FieldPath, { operator, values }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (operator !== 'NotIn' || (Array.isArray(values) && values.length > 0)) return [];
  return [
    notReady(
      [...path, 'values'],
      'must have a value when the operator is NotIn',
      values,
      'add a value, or remove the requirement',
    ),
  ];
}

/** Kinds of the group `apps` from which Karpenter can read a pod template and a replica count. */
const SCALABLE_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];
export const SCALABLE_GROUP = 'apps';
/** The API server rejects an object with both references, but accepts an object without any. */
export function checkCapacityBuffer({
  podTemplateRef,
  scalableRef,
}: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (podTemplateRef !== undefined) return [];
  if (scalableRef === undefined) {
    return [
      notReady(
        ['spec', 'scalableRef'],
        'must be set, or podTemplateRef instead',
        undefined,
        'write { kind: Deployment, name }',
      ),
    ];
  }
  const { apiGroup, kind } = asRecord(scalableRef) ?? {};
  const isOtherGroup = typeof apiGroup === 'string' && apiGroup !== '' && apiGroup !== SCALABLE_GROUP;
  return [
    ...(isOtherGroup
      ? [
          notReady(
            ['spec', 'scalableRef', 'apiGroup'],
            `must be ${SCALABLE_GROUP}`,
            apiGroup,
            `write ${SCALABLE_GROUP}, without a version`,
          ),
        ]
      : []),
    ...(typeof kind === 'string' && !SCALABLE_KINDS.includes(kind)
      ? [
          notReady(
            ['spec', 'scalableRef', 'kind'],
            `must be one of ${SCALABLE_KINDS.join(', ')}`,
            kind,
            'use podTemplateRef for other pods',
          ),
        ]
      : []),
  ];
}
