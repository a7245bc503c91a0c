import { Evaluator, isPlaceholder, Scope } from './hcl/evaluate';
import { Block, bodyAttribute } from './hcl/syntax';
import { WrittenResource } from '../../../vocabulary/source-file';

/** The type of a resource that stands for a call of the module. */
export const KARPENTER_MODULE = 'terraform_karpenter_module';
/** The submodule of the EKS module in the registry, and the same in Git. */
const SOURCE = /terraform-aws-(?:modules\/eks\/aws|eks(?:\.git)?)\/\/modules\/karpenter\b/;
/** The first release whose arguments and outputs are read: earlier ones call the role of nodes `iam_role_name`. */
const FIRST_RELEASE = 20;
/** Arguments of earlier releases only. */
const EARLIER_ARGUMENTS = ['policies', 'create_irsa', 'irsa_name'];
/** The first release that associates the service account by default. */
const ASSOCIATING_RELEASE = 21;
/** Arguments that may let Karpenter pass other roles. */
const MORE_POLICIES = ['iam_policy_statements', 'iam_role_policies', 'iam_policy_document'];
const DEFAULT_NAMESPACE = 'kube-system';
const DEFAULT_SERVICE_ACCOUNT = 'karpenter';
const PREFIX_OF_NAMES = 'Karpenter-';

/**
 * What a call of the Karpenter submodule of the EKS module creates, as far as its arguments and defaults say so: the
 * association of the service account, and the name of the role of nodes. Empty for other modules.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/blob/v21.0.0/modules/karpenter/variables.tf
 */
export function karpenterModule(
  { body, labels: [name = ''] }: Block,
  text: string,
  scope: Scope,
  place: WrittenResource['place'],
): WrittenResource[] {
  const source = bodyAttribute(body, 'source');
  const written = source && text.slice(source.start, source.end);
  if (written === undefined || !SOURCE.test(written)) return [];
  const valueOf = (argument: string, fallback?: unknown): unknown => {
    const expression = bodyAttribute(body, argument);
    return expression ? new Evaluator(scope).valueOf({ expression, text }) : fallback;
  };
  const release = moduleRelease(valueOf('version'), written);
  const isOlder = EARLIER_ARGUMENTS.some((argument) => bodyAttribute(body, argument));
  if (isOlder || (release !== undefined && release < FIRST_RELEASE) || valueOf('create') === false) return [];
  const module = { mode: 'managed', module: name, place } as const;
  const isAssociated = valueOf(
    'create_pod_identity_association',
    release === undefined ? undefined : release >= ASSOCIATING_RELEASE,
  );
  const association: WrittenResource = {
    ...module,
    type: 'aws_eks_pod_identity_association',
    name: 'aws_eks_pod_identity_association.karpenter',
    values: {
      cluster_name: valueOf('cluster_name'),
      namespace: valueOf('namespace', DEFAULT_NAMESPACE),
      service_account: valueOf('service_account', DEFAULT_SERVICE_ACCOUNT),
      role_arn: `\${module.${name}.iam_role_arn}`,
    },
  };
  const call: WrittenResource = {
    ...module,
    type: KARPENTER_MODULE,
    name,
    values: {
      name,
      ...(MORE_POLICIES.some((argument) => bodyAttribute(body, argument)) ? {} : nodeRole(valueOf)),
      ...queueOf(valueOf),
      enable_spot_termination: valueOf('enable_spot_termination', true),
      has_instance_profile: valueOf('create_instance_profile', false),
      ...(release !== undefined && valueOf('create_node_iam_role', true) === true
        ? { create_access_entry: valueOf('create_access_entry', true) }
        : {}),
    },
  };
  const hasEntry = release !== undefined && valueOf('create_access_entry', true) === true;
  const entry: WrittenResource = {
    ...module,
    type: 'aws_eks_access_entry',
    name: 'aws_eks_access_entry.node',
    values: {
      cluster_name: valueOf('cluster_name'),
      principal_arn: `\${module.${name}.node_iam_role_arn}`,
      type: valueOf('access_entry_type', 'EC2_LINUX'),
    },
  };
  const isTrusted = release === FIRST_RELEASE && valueOf('enable_irsa') === true;
  const roles = isTrusted ? trustedRole(name, module, valueOf) : [];
  return [...(isAssociated === true ? [association] : []), ...(hasEntry ? [entry] : []), ...roles, call];
}

/** The type of a resource that stands for what else may let the nodes of the module join. */
export const ROLE_MAPPING = 'terraform_role_mapping';
const MAPS_ROLES = /aws[-_]auth|map_?roles|\bnode_iam_role_arn\b/i;

/** A block that maps roles in aws-auth, or that gets the role of nodes. Resources of AWS are read. */
export function roleMapping({ type, labels }: Block, text: string, place: WrittenResource['place']): WrittenResource[] {
  const [first = ''] = labels;
  const isRead = SOURCE.test(text) || !['module', 'resource'].includes(type) || first.startsWith('aws_');
  return isRead || !MAPS_ROLES.test(text)
    ? []
    : [{ mode: 'managed', type: ROLE_MAPPING, name: labels.join('.'), values: {}, place }];
}

/** The role of the controller, which service accounts assume by OIDC. Its policies are those of the module. */
function trustedRole(
  name: string,
  module: Pick<WrittenResource, 'mode' | 'module' | 'place'>,
  valueOf: (argument: string, fallback?: unknown) => unknown,
): WrittenResource[] {
  const accounts = valueOf('irsa_namespace_service_accounts', ['karpenter:karpenter']);
  if (!Array.isArray(accounts) || !accounts.every((account) => typeof account === 'string')) return [];
  const issuer = `\${module.${name}.irsa_oidc_provider_url}`;
  const subjects = accounts.map((account) => `system:serviceaccount:${account}`);
  const web = {
    Effect: 'Allow',
    Action: 'sts:AssumeRoleWithWebIdentity',
    Principal: { Federated: `\${module.${name}.irsa_oidc_provider_arn}` },
    Condition: { StringEquals: { [`${issuer}:sub`]: subjects, [`${issuer}:aud`]: 'sts.amazonaws.com' } },
  };
  const pods = {
    Effect: 'Allow',
    Action: ['sts:AssumeRole', 'sts:TagSession'],
    Principal: { Service: 'pods.eks.amazonaws.com' },
  };
  return [
    {
      ...module,
      type: 'aws_iam_role',
      name: 'aws_iam_role.controller',
      values: {
        arn: `\${module.${name}.iam_role_arn}`,
        name: `\${module.${name}.iam_role_name}`,
        assume_role_policy: JSON.stringify({ Statement: [web, pods] }),
        managed_policy_arns: [`\${module.${name}.policy}`],
      },
    },
  ];
}

/** The name of the only role that Karpenter may pass, or how it begins. */
function nodeRole(valueOf: (argument: string, fallback?: unknown) => unknown): Record<string, unknown> {
  if (valueOf('create_node_iam_role', true) !== true) {
    const arn = valueOf('node_iam_role_arn');
    const isKnown = typeof arn === 'string' && arn.includes(':role/') && !arn.includes('${');
    return isKnown ? { node_role: arn.slice(arn.lastIndexOf('/') + 1), is_prefix: false } : {};
  }
  const given = valueOf('node_iam_role_name') ?? namedAfterCluster(valueOf('cluster_name'));
  const isPrefix = valueOf('node_iam_role_use_name_prefix', true);
  if (typeof given !== 'string' || given === '' || given.includes('${') || typeof isPrefix !== 'boolean') return {};
  return { node_role: given, is_prefix: isPrefix };
}

function queueOf(valueOf: (argument: string, fallback?: unknown) => unknown): Record<string, unknown> {
  const queue = valueOf('queue_name') ?? namedAfterCluster(valueOf('cluster_name'));
  const isKnown = typeof queue === 'string' && queue !== '' && !queue.includes('${');
  return isKnown && valueOf('enable_spot_termination', true) === true ? { queue } : {};
}

function namedAfterCluster(cluster: unknown): string {
  return typeof cluster === 'string' ? `${PREFIX_OF_NAMES}${cluster}` : '';
}

/** The major release; undefined if the constraint allows several, or if none is written. */
export function moduleRelease(version: unknown, source: string): number | undefined {
  const text =
    typeof version === 'string' && !isPlaceholder(version) ? version : (/ref=v?(\d[\d.]*)/.exec(source)?.[1] ?? '');
  const [, major] = /^\s*(?:~>|=)?\s*v?(\d+)\./.exec(text) ?? [];
  return major === undefined ? undefined : Number(major);
}
