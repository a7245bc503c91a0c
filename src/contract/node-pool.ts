/**
 * What a NodePool (karpenter.sh/v1) may hold.
 *
 * Sources: karpenter.sh_nodepools.yaml as shipped with Karpenter for AWS 1.15.1, and NodePool.RuntimeValidate in
 * sigs.k8s.io/karpenter v1.15.0.
 */
import { checkDisruption, DURATION_OR_NEVER, TERMINATION_GRACE_PERIOD } from './disruption-rule';
import { FieldPath, FieldProblem } from './field-problem';
import { checkLabelValue, checkNodePoolLabelKey } from './label-rule';
import { checkQuantities, negativeQuantities } from './quantity-rule';
import { checkRequirement, REQUIREMENTS_COUNT } from './requirement-rule';
import { checkTaints } from './taint-rule';
import { asRecord, checkInteger, checkPattern, checkSize, checkText, ifPresent, IntegerRule, PatternRule, rejected, withConsequence } from './value-rule';

export const NODE_POOL_WEIGHT: IntegerRule = { min: 1, max: 100 };
export const NODE_POOL_REPLICAS: IntegerRule = { min: 0 };
export const TEMPLATE_LABELS_COUNT: IntegerRule = { min: 0, max: 100 };
/** What the API server fills in for `spec.template.spec.expireAfter`. */
export const DEFAULT_EXPIRE_AFTER = '720h';

const TEMPLATE = ['spec', 'template'] as const;
const GROUP: PatternRule = { pattern: /^[^/]+$/, meaning: 'an API group without a version', remedy: 'write karpenter.k8s.aws' };

/** Every problem of a NodePool's `spec`, given as in its manifest; an empty list if Karpenter accepts it all. */
export function checkNodePoolSpec(raw: unknown): FieldProblem[] {
  const spec = asRecord(raw);
  if (!spec) return [rejected(['spec'], 'must be an object', raw, 'write spec.template with its nodeClassRef and requirements')];
  const { disruption, limits, weight, replicas } = spec;
  return [
    ...checkTemplate(spec.template),
    ...ifPresent(disruption, () => checkDisruption(['spec', 'disruption'], disruption)),
    ...ifPresent(limits, () => checkLimits(['spec', 'limits'], limits)),
    ...ifPresent(weight, () => checkInteger(['spec', 'weight'], weight, NODE_POOL_WEIGHT)),
    ...ifPresent(replicas, () => checkStatic(replicas, limits, weight)),
  ];
}

function checkTemplate(raw: unknown): FieldProblem[] {
  const template = asRecord(raw);
  if (!template) return [rejected(TEMPLATE, 'must be an object', raw, 'write spec.template with its nodeClassRef and requirements')];
  const spec = asRecord(template.spec);
  const labels = asRecord(template.metadata)?.labels;
  return [
    ...ifPresent(labels, () => checkTemplateLabels([...TEMPLATE, 'metadata', 'labels'], labels)),
    ...(spec ? checkTemplateSpec([...TEMPLATE, 'spec'], spec) :
      [rejected([...TEMPLATE, 'spec'], 'must be an object', template.spec, 'write nodeClassRef and requirements in it')]),
  ];
}

function checkTemplateSpec(path: FieldPath, spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { expireAfter, terminationGracePeriod } = spec;
  return [
    ...checkNodeClassRef([...path, 'nodeClassRef'], spec.nodeClassRef),
    ...checkRequirements([...path, 'requirements'], spec.requirements),
    ...checkTaints(path, spec),
    ...ifPresent(expireAfter, () => checkPattern([...path, 'expireAfter'], expireAfter, DURATION_OR_NEVER)),
    ...ifPresent(terminationGracePeriod, () => checkPattern([...path, 'terminationGracePeriod'], terminationGracePeriod, TERMINATION_GRACE_PERIOD)),
  ];
}

export function checkNodeClassRef(path: FieldPath, raw: unknown): FieldProblem[] {
  const ref = asRecord(raw);
  if (!ref) return [rejected(path, 'must name the node class with group, kind and name', raw, 'write { group: karpenter.k8s.aws, kind: EC2NodeClass, name }')];
  return [
    ...checkPattern([...path, 'group'], ref.group, GROUP),
    ...checkText([...path, 'kind'], ref.kind),
    ...checkText([...path, 'name'], ref.name),
  ];
}

function checkRequirements(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list', raw, 'write [] for no requirement at all')];
  return [
    ...checkSize(path, raw.length, REQUIREMENTS_COUNT, 'requirements'),
    ...raw.flatMap((requirement, i) => checkRequirement([...path, i], requirement)),
  ];
}

function checkTemplateLabels(path: FieldPath, raw: unknown): FieldProblem[] {
  const labels = asRecord(raw);
  if (!labels) return [rejected(path, 'must be a map of labels', raw, 'write key: value')];
  const entries = Object.entries(labels);
  return [
    ...checkSize(path, entries.length, TEMPLATE_LABELS_COUNT, 'labels'),
    ...entries.flatMap(([key, value]) => [...checkNodePoolLabelKey([...path, key], key, 'not-ready'), ...checkLabelValue([...path, key], value)]),
  ];
}

function checkLimits(path: FieldPath, limits: unknown): FieldProblem[] {
  return [
    ...checkQuantities(path, limits, '{ cpu: 1000, memory: 1000Gi }'),
    ...negativeQuantities(limits).map((resource) =>
      withConsequence('misread', [...path, resource], 'must not be negative, or no node is launched', asRecord(limits)![resource], 'write 0 or more')),
  ];
}

/** A NodePool with replicas is static: it is neither weighed nor limited by resources. */
function checkStatic(replicas: unknown, limits: unknown, weight: unknown): FieldProblem[] {
  const others = Object.keys(asRecord(limits) ?? {}).filter((resource) => resource !== 'nodes');
  return [
    ...checkInteger(['spec', 'replicas'], replicas, NODE_POOL_REPLICAS),
    ...others.map((resource) => rejected(['spec', 'limits', resource], 'must not be limited where replicas is set', asRecord(limits)![resource], 'limit nodes only')),
    ...ifPresent(weight, () => [rejected(['spec', 'weight'], 'must be absent where replicas is set', weight, 'remove weight')]),
  ];
}
