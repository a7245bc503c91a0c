/**
 * What a NodeOverlay (karpenter.sh/v1alpha1) may hold.
 *
 * Sources: karpenter.sh_nodeoverlays.yaml as shipped with Karpenter for AWS 1.15.1; NodeOverlay.RuntimeValidate in
 * sigs.k8s.io/karpenter v1.15.0, whose list of resources Karpenter for AWS makes longer (pkg/apis/v1/labels.go).
 */
import { FieldPath, FieldProblem } from './field-problem';
import { checkQuantities, negativeQuantities } from './quantity-rule';
import { checkOverlayRequirement, REQUIREMENTS_COUNT } from './requirement-rule';
import { asRecord, checkInteger, checkPattern, checkSize, ifPresent, IntegerRule, PatternRule, rejected, withConsequence } from './value-rule';

export const NODE_OVERLAY_WEIGHT: IntegerRule = { min: 1, max: 10_000 };
export const OVERLAY_PRICE: PatternRule = {
  pattern: /^\d+(\.\d+)?$/,
  meaning: 'a price in USD an hour, as a string without an exponent',
  remedy: "write for example '0.25'",
};
export const PRICE_ADJUSTMENT: PatternRule = {
  pattern: /^(([+-]{1}(\d*\.?\d+))|(\+{1}\d*\.?\d+%)|(^(-\d{1,2}(\.\d+)?%)$)|(-100%))$/,
  maxLength: 64,
  meaning: 'an amount or a percentage with its sign, down to -100%',
  remedy: "write for example '+0.01', '-0.01', '+10%' or '-15%'",
};

/** Resources that every instance type has; the API server refuses an overlay of them. */
const BASIC_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage', 'pods'];
/** Resources that Karpenter for AWS finds on instance types itself, so that it refuses an overlay of them. */
const AWS_RESOURCES: readonly string[] = [
  'vpc.amazonaws.com/pod-eni', 'vpc.amazonaws.com/efa', 'aws.amazon.com/neuron', 'aws.amazon.com/neuroncore', 'habana.ai/gaudi',
];

/** Every problem of a NodeOverlay's `spec`, given as in its manifest; an empty list if Karpenter accepts it all. */
export function checkNodeOverlaySpec(raw: unknown): FieldProblem[] {
  const spec = asRecord(raw);
  if (!spec) return [rejected(['spec'], 'must be an object', raw, 'write spec.requirements, and price, priceAdjustment or capacity')];
  const { price, priceAdjustment, capacity, weight } = spec;
  return [
    ...checkRequirements(['spec', 'requirements'], spec.requirements),
    ...ifPresent(price, () => checkPattern(['spec', 'price'], price, OVERLAY_PRICE)),
    ...ifPresent(priceAdjustment, () => checkPattern(['spec', 'priceAdjustment'], priceAdjustment, PRICE_ADJUSTMENT)),
    ...ifPresent(price, () => ifPresent(priceAdjustment,
      () => [rejected(['spec', 'priceAdjustment'], 'must be absent where price is set', priceAdjustment, 'remove one of them')])),
    ...ifPresent(capacity, () => checkCapacity(['spec', 'capacity'], capacity)),
    ...ifPresent(weight, () => checkInteger(['spec', 'weight'], weight, NODE_OVERLAY_WEIGHT)),
  ];
}

function checkRequirements(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list', raw, 'write [] for all nodes')];
  return [
    ...checkSize(path, raw.length, REQUIREMENTS_COUNT, 'requirements'),
    ...raw.flatMap((requirement, i) => checkOverlayRequirement([...path, i], requirement)),
  ];
}

function checkCapacity(path: FieldPath, raw: unknown): FieldProblem[] {
  const capacity = asRecord(raw) ?? {};
  const named = (resources: readonly string[]) => Object.keys(capacity).filter((resource) => resources.includes(resource));
  return [
    ...checkQuantities(path, raw, '{ example.com/dongle: 1 }'),
    ...named(BASIC_RESOURCES).map((resource) =>
      rejected([...path, resource], 'must be an extended resource', capacity[resource], `remove ${resource}, which the instance type decides`)),
    ...named(AWS_RESOURCES).map((resource) => withConsequence('not-ready', [...path, resource],
      'must not be a resource that Karpenter finds on instance types itself', capacity[resource], `remove ${resource}`)),
    ...negativeQuantities(raw).map((resource) =>
      withConsequence('misread', [...path, resource], 'must not be negative, which no node can have', capacity[resource], 'write 0 or more')),
  ];
}
