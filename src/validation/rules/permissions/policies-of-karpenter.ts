import { OLDEST_KARPENTER_VERSION } from '../../../contract';
import { Controller } from '../../controller';
import { isActionAllowed, Policy, Role } from '../../template';
import { controllerRoles, isControllerRole } from '../common/controller-identity';
import { RuleContext } from '../rule';

/** Policies that Karpenter runs with. */
export interface KarpenterPolicies {
  readonly controller: Controller;
  /** Their role, or one that stands for policies that no role of the templates has. */
  readonly role: Role;
  /** Whether the templates attach the policies to no role, so that it may have others as well. @default false */
  readonly unattached?: boolean;
}

/** The subject that a service account called karpenter has in the trust policy of its role (IRSA). */
const SUBJECT_OF_KARPENTER = /^system:serviceaccount:[^:]+:karpenter$/;
const SERVICE_ACCOUNT = 'karpenter';

/**
 * The roles of the controllers. If none is known, the roles of a service account karpenter that launch instances: the
 * permissions of the oldest release are needed in all releases. If there are none either, a policy that launches
 * instances.
 */
export function policiesOfKarpenter(context: RuleContext): KarpenterPolicies[] {
  const known = controllerRoles(context);
  if (known.length > 0) return known;
  const { roles } = context.model.aws;
  const trusted = roles.filter((role) => isControllerRole(role) && isForKarpenter(role, context));
  return trusted.length > 0
    ? trusted.map((role) => ({ role, controller: unknownController(role) }))
    : unattachedPolicies(context).map((role) => ({ role, controller: unknownController(role), unattached: true }));
}

function isForKarpenter({ arn, trust = [] }: Role, { model }: RuleContext): boolean {
  const subjects = trust.flatMap(({ conditions }) =>
    conditions.filter(({ key }) => /:sub$/i.test(key)).flatMap((condition) => condition.values),
  );
  const isTrusted = subjects.length > 0 && subjects.every((value) => SUBJECT_OF_KARPENTER.test(value));
  return (
    isTrusted ||
    model.aws.podIdentityAssociations.some(
      ({ role, serviceAccount }) => role === arn && serviceAccount === SERVICE_ACCOUNT,
    )
  );
}

/**
 * All policies that no role of the templates has, as those of one role, if they launch instances and handle instance
 * profiles: only Karpenter needs both. A role may have further inline policies, so a role with unknown policies, or
 * one that launches instances, leaves nothing to say.
 */
function unattachedPolicies({ model: { aws } }: RuleContext): Role[] {
  const isAttached = (policy: Policy) =>
    aws.roles.some(({ policies }) =>
      policies.some(({ resource, path }) => sameDeclaration(policy, { resource, path })),
    );
  const policies = aws.policies.filter((policy) => !isAttached(policy));
  const [first] = policies.filter(({ statements = [] }) =>
    statements.some(({ allows, actions }) => allows && actions.includes('ec2:createfleet')),
  );
  if (first === undefined || aws.roles.some(isControllerRole)) return [];
  const { resource, path, name } = first;
  const role = { resource, path, name, generated: false, arn: '', policies, otherPolicies: [] };
  return ['ec2:RunInstances', 'iam:AddRoleToInstanceProfile'].every((action) => isActionAllowed(role, action) === 'yes')
    ? [role]
    : [];
}

function sameDeclaration(one: Pick<Policy, 'resource' | 'path'>, other: Pick<Policy, 'resource' | 'path'>): boolean {
  return one.resource.id === other.resource.id && one.path.join() === other.path.join();
}

/** Stands for a controller that the input does not contain. */
function unknownController({ resource: { object } }: Role): Controller {
  return {
    object,
    version: OLDEST_KARPENTER_VERSION,
    podLabels: {},
    values: {},
    fromChart: false,
    complete: false,
    pathOf: () => [],
  };
}
