import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { EC2_NODE_CLASS_API, NODE_POOL_API } from '../../contract';
import { shownNumber } from '../../model';
import { CapacityType } from '../requirements/label-values';

/**
 * What the API server does with a NodePool or EC2NodeClass that violates a guardrail.
 */
export enum GuardrailAction {
  /** It is rejected. */
  DENY = 'Deny',
  /** The client gets a warning. */
  WARN = 'Warn',
  /** The audit log gets an entry. */
  AUDIT = 'Audit',
}

/**
 * Properties of NodePoolGuardrails. Each guardrail that is left out is not enforced.
 */
export interface NodePoolGuardrailsProps {
  /**
   * Name, labels and annotations of the policies. The name of the policy for EC2NodeClasses ends with `-ami`.
   *
   * @default - the name `karpenter-guardrails`
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Most CPUs of an instance. Each NodePool needs a requirement on `karpenter.k8s.aws/instance-cpu` that ensures it.
   *
   * @default - any size
   */
  readonly maxInstanceCpu?: number;

  /**
   * Capacity types that NodePools may have. Each NodePool needs a requirement on `karpenter.sh/capacity-type`, because
   * one without it allows spot.
   *
   * @default - all
   */
  readonly capacityTypes?: CapacityType[];

  /**
   * Resources that each NodePool must limit, such as `cpu`. Static NodePools are exempt: they have `replicas`.
   *
   * @default - none
   */
  readonly requiredLimits?: string[];

  /**
   * Largest limit on CPUs that a NodePool may have. The limit is then required. Static NodePools are exempt.
   *
   * @default - any
   */
  readonly maxCpu?: number;

  /**
   * Largest number of nodes of a NodePool, by its limit on `nodes` or its `replicas`. One of them is then required.
   *
   * @default - any
   */
  readonly maxNodes?: number;

  /**
   * Whether EC2NodeClasses must select fixed AMIs: no alias with `@latest`, and no name with an asterisk.
   *
   * @default false
   */
  readonly pinnedAmis?: boolean;

  /**
   * What the API server does with a violation. Begin with `WARN` in a cluster that has NodePools already.
   *
   * @default [GuardrailAction.DENY]
   */
  readonly actions?: GuardrailAction[];
}

/**
 * Guardrails for NodePools and EC2NodeClasses, enforced by the API server: a ValidatingAdmissionPolicy with its
 * binding. Kubernetes 1.30 or newer has them.
 *
 * Only an object that is new or whose `spec` changes is judged, so Karpenter can still update older ones.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export class NodePoolGuardrails extends Construct {
  /**
   * The policies in the manifest: one for NodePools, one for EC2NodeClasses, if they have guardrails.
   */
  public readonly policies: ApiObject[];

  /**
   * @throws Error if there is no guardrail, or if a number is not a whole number of at least 1
   */
  constructor(scope: Construct, id: string, props: NodePoolGuardrailsProps) {
    super(scope, id);
    const poolRules = rulesOf(props);
    const classRules = props.pinnedAmis ? [pinnedAmiRule()] : [];
    if (poolRules.length + classRules.length === 0)
      throw new Error(
        `${this.node.path}: NodePoolGuardrails must have at least one guardrail, got none; write for example requiredLimits: ['cpu']`,
      );
    const name = props.metadata?.name ?? 'karpenter-guardrails';
    const { actions = [GuardrailAction.DENY] } = props;
    const policies: ApiObject[] = [];
    if (poolRules.length > 0)
      policies.push(
        this.newPolicy('NodePools', { ...props.metadata, name }, NODE_POOL_API, 'nodepools', poolRules, actions),
      );
    if (classRules.length > 0) {
      const metadata = { ...props.metadata, name: `${name}-ami` };
      policies.push(this.newPolicy('NodeClasses', metadata, EC2_NODE_CLASS_API, 'ec2nodeclasses', classRules, actions));
    }
    this.policies = policies;
  }

  private newPolicy(
    id: string,
    metadata: ApiObjectMetadata,
    { group, apiVersion: judged }: { readonly group: string; readonly apiVersion: string },
    resource: string,
    rules: readonly GuardrailRule[],
    actions: readonly GuardrailAction[],
  ): ApiObject {
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const policy = new ApiObject(this, id, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [group],
              apiVersions: [judged.slice(group.length + 1)],
              operations: ['CREATE', 'UPDATE'],
              resources: [resource],
            },
          ],
        },
        matchConditions: [
          { name: 'spec-changes', expression: "request.operation == 'CREATE' || object.?spec != oldObject.?spec" },
        ],
        validations: rules.map(({ expression, message }) => ({ expression, message })),
      },
    });
    new ApiObject(this, `${id}Binding`, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: policy.name, validationActions: [...actions] },
    });
    return policy;
  }
}

function rulesOf(props: NodePoolGuardrailsProps): GuardrailRule[] {
  const { maxInstanceCpu, capacityTypes, requiredLimits = [], maxCpu, maxNodes } = props;
  for (const name of ['maxInstanceCpu', 'maxCpu', 'maxNodes'] as const) requireCount(name, props[name]);
  if (capacityTypes?.length === 0)
    throw new Error(
      'NodePoolGuardrails.capacityTypes: must have at least one capacity type, got none; write for example [CapacityType.ON_DEMAND]',
    );
  return [
    ...(maxInstanceCpu === undefined ? [] : [maxInstanceCpuRule(maxInstanceCpu)]),
    ...(capacityTypes === undefined ? [] : [capacityTypesRule(capacityTypes)]),
    ...requiredLimits.map(limitRule),
    ...(maxCpu === undefined ? [] : [maxLimitRule('cpu', String(maxCpu))]),
    ...(maxNodes === undefined ? [] : [maxNodesRule(maxNodes)]),
  ];
}

function requireCount(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new Error(
    `NodePoolGuardrails.${name}: must be a whole number of at least 1, got ${shownNumber(value)}; write for example 32`,
  );
}

// The expressions of NodePoolGuardrails, in the Common Expression Language (CEL) of ValidatingAdmissionPolicy.

/** One validation of a ValidatingAdmissionPolicy. */
interface GuardrailRule {
  readonly expression: string;
  readonly message: string;
}

const REQUIREMENTS = 'object.spec.template.spec.requirements';
const CPU = 'karpenter.k8s.aws/instance-cpu';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CAPACITY_TYPES: readonly string[] = ['on-demand', 'reserved', 'spot'];

/** True if no instance type that the requirements leave has more CPUs. */
function maxInstanceCpuRule(cpus: number): GuardrailRule {
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
function capacityTypesRule(allowed: readonly CapacityType[]): GuardrailRule {
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
function limitRule(resource: string): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) || (${hasLimit(resource)})`,
    message: `a NodePool must have a limit on ${resource}; write spec.limits.${resource}`,
  };
}

function maxLimitRule(resource: string, most: string): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) || (${hasLimit(resource)} && ${limitAtMost(resource, most)})`,
    message: `a NodePool may have a limit on ${resource} of at most ${most}; write spec.limits.${resource}: "${most}" or less`,
  };
}

function maxNodesRule(nodes: number): GuardrailRule {
  return {
    expression: `has(object.spec.replicas) ? object.spec.replicas <= ${nodes} : (${hasLimit('nodes')} && ${limitAtMost('nodes', String(nodes))})`,
    message: `a NodePool may have at most ${nodes} nodes; write spec.limits.nodes: "${nodes}" or less, or fewer replicas`,
  };
}

/** The same condition as the rule KARP-905. The API server accepts an EC2NodeClass without `spec`, which has no AMI. */
function pinnedAmiRule(): GuardrailRule {
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
