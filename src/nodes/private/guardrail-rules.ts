/** The expressions of NodePoolGuardrails, in the Common Expression Language (CEL) of ValidatingAdmissionPolicy. */
import { CapacityType } from '../requirements/label-values';

/** One validation of a ValidatingAdmissionPolicy. */
export interface GuardrailRule {
  readonly expression: string;
  readonly message: string;
}

const REQUIREMENTS = 'object.spec.template.spec.requirements';
const CPU = 'karpenter.k8s.aws/instance-cpu';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CAPACITY_TYPES: readonly string[] = ['on-demand', 'reserved', 'spot'];

/** True if no instance type that the requirements leave has more CPUs. */
export function maxInstanceCpuRule(cpus: number): GuardrailRule {
  const bounds = [
    `r.operator == 'Lt' && int(r.values[0]) <= ${cpus + 1}`,
    `r.operator == 'Lte' && int(r.values[0]) <= ${cpus}`,
    `r.operator == 'In' && r.values.all(v, int(v) <= ${cpus})`,
  ];
  return {
    expression: `${REQUIREMENTS}.exists(r, r.key == '${CPU}' && (${anyOf(bounds)}))`,
    message: `a NodePool may launch instances of at most ${cpus} CPUs; add the requirement ${CPU} Lt "${cpus + 1}"`,
  };
}

/** True if a requirement excludes all other capacity types. A NodePool without one allows every capacity type. */
export function capacityTypesRule(allowed: readonly CapacityType[]): GuardrailRule {
  const names = allowed.map(({ value }) => value);
  const others = CAPACITY_TYPES.filter((type) => !names.includes(type));
  const bounds = [
    `r.operator == 'In' && r.values.all(v, v in ${listOf(names)})`,
    `r.operator == 'NotIn' && ${listOf(others)}.all(v, v in r.values)`,
  ];
  return {
    expression: `${REQUIREMENTS}.exists(r, r.key == '${CAPACITY_TYPE}' && (${anyOf(bounds)}))`,
    message: `a NodePool may only have the capacity types ${names.join(', ')}; add the requirement ${CAPACITY_TYPE} In ${JSON.stringify(names)}`,
  };
}

/** True for a static NodePool, too: it has as many nodes as it declares, and cannot have this limit. */
export function limitRule(resource: string): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) || (${hasLimit(resource)})`,
    message: `a NodePool must have a limit on ${resource}; write spec.limits.${resource}`,
  };
}

export function maxLimitRule(resource: string, most: string): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) || (${hasLimit(resource)} && ${limitAtMost(resource, most)})`,
    message: `a NodePool may have a limit on ${resource} of at most ${most}; write spec.limits.${resource}: "${most}" or less`,
  };
}

export function maxNodesRule(nodes: number): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) ? object.spec.replicas <= ${nodes} : (${hasLimit('nodes')} && ${limitAtMost('nodes', String(nodes))})`,
    message: `a NodePool may have at most ${nodes} nodes; write spec.limits.nodes: "${nodes}" or less, or fewer replicas`,
  };
}

/** The same condition as the rule KARP-905. The API server accepts an EC2NodeClass without `spec`, which has no AMI. */
export function pinnedAmiRule(): GuardrailRule {
  const unpinned = ["(has(t.alias) && t.alias.endsWith('@latest'))", "(has(t.name) && t.name.contains('*'))"];
  return {
    expression: `!has(object.spec) || object.spec.amiSelectorTerms.all(t, !(${unpinned.join(' || ')}))`,
    message:
      'an EC2NodeClass must select a fixed AMI; write an alias with a release, such as al2023@v20250915, instead of @latest or a name with *',
  };
}

function hasLimit(resource: string): string {
  return `has(object.spec.limits) && ${JSON.stringify(resource)} in object.spec.limits`;
}

/** A limit is a number or text, so it is converted to text first. */
function limitAtMost(resource: string, most: string): string {
  return `quantity(string(object.spec.limits[${JSON.stringify(resource)}])).compareTo(quantity('${most}')) <= 0`;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `(${condition})`).join(' || ');
}

function listOf(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;
}
