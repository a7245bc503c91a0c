/**
 * NodeOverlay.RuntimeValidate of sigs.k8s.io/karpenter v1.15.0 (pkg/apis/v1alpha1/nodeoverlay_validation.go), with the
 * resources that Karpenter for AWS adds (WellKnownResources in pkg/apis/v1/labels.go of 1.8.6 to 1.15.1).
 */
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { notReady } from './not-ready';
import { checkRequirements } from './requirements';

const WELL_KNOWN_RESOURCES: readonly string[] = [
  'cpu', 'memory', 'ephemeral-storage', 'pods',
  'vpc.amazonaws.com/pod-eni', 'aws.amazon.com/neuron', 'aws.amazon.com/neuroncore', 'habana.ai/gaudi', 'vpc.amazonaws.com/efa',
];

export function checkNodeOverlay(spec: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const path: FieldPath = ['spec', 'requirements'];
  return [
    ...checkRequirements(path, spec.requirements, version),
    ...(Array.isArray(spec.requirements) ? spec.requirements : []).flatMap((raw, i) => checkNotIn([...path, i], asRecord(raw) ?? {})),
    ...Object.entries(asRecord(spec.capacity) ?? {}).filter(([resource]) => WELL_KNOWN_RESOURCES.includes(resource))
      .map(([resource, amount]) => notReady(['spec', 'capacity', resource], 'must not be a resource that Karpenter works out by itself', amount, 'remove it')),
  ];
}

function checkNotIn(path: FieldPath, { operator, values }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (operator !== 'NotIn' || (Array.isArray(values) && values.length > 0)) return [];
  return [notReady([...path, 'values'], 'must hold a value when the operator is NotIn', values, 'add a value, or remove the requirement')];
}
