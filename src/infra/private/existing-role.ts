/** Roles that exist already: what the app can change on them, and what it must ask the user to change. */
import { Annotations, Lazy, Stack, Token } from 'aws-cdk-lib';
import { CfnRole, IRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { IConstruct } from 'constructs';
import { toPolicyDocument } from './iam-policies';
import { statementText } from '../../contract';
import { errorWithoutStack } from '../../model';

/** Classes of the CDK for roles that the user wants unchanged. */
const UNCHANGEABLE = ['aws-cdk-lib.aws-iam.ImmutableRole', 'aws-cdk-lib.aws-iam.PrecreatedRole'];

/** Statements that were added to the trust policy of a role as JSON. */
const addedTrust = new WeakMap<CfnRole, object[]>();

/**
 * Whether policies of this app can be attached to the role. They can be attached to an imported role of the account,
 * but not with `mutable: false`.
 */
export function acceptsPolicies(role: IRole): boolean {
  return !UNCHANGEABLE.includes(Reflect.get(role.constructor, 'PROPERTY_INJECTION_ID'));
}

/** The role if this app creates it, so that its trust policy can be changed. */
export function ownRole(role: IRole): Role | undefined {
  return acceptsPolicies(role) && Role.isRole(role) && role.assumeRolePolicy ? role : undefined;
}

/** Adds a statement, whose condition keys may contain tokens, to the trust policy of a role of this app. */
export function addTrust(role: Role, statement: object): void {
  const resource = role.node.defaultChild as CfnRole;
  const added = addedTrust.get(resource) ?? [];
  if (added.length === 0) {
    addedTrust.set(resource, added);
    resource.assumeRolePolicyDocument = Lazy.any({
      produce: () => {
        const { Statement, Version } = role.assumeRolePolicy!.toJSON();
        return toPolicyDocument(role, { Version, Statement: [...Statement, ...added] });
      },
    });
  }
  added.push(statement);
}

/** The statement as text that can be copied into a policy. */
export function copyableStatement(scope: IConstruct, statement: PolicyStatement | object): string {
  const json = statement instanceof PolicyStatement ? statement.toStatementJson() : statement;
  return statementText(Stack.of(scope).resolve(json));
}

/** Asks the user for changes of the role that the app cannot make. */
export function warnOfRole(
  scope: IConstruct,
  { property, role, reason, needs }: { property: string; role: IRole; reason: string; needs: readonly string[] },
): void {
  if (needs.length === 0) return;
  const id = `karpenter-constructs:${property}`;
  Annotations.of(scope).addWarningV2(
    id,
    `${property}: this app cannot change everything on the role ${role.node.path}, and ${reason} unless the role ` +
      `${needs.join(', and ')}; add what is missing by hand, then write Annotations.of(this).acknowledgeWarning('${id}')`,
  );
}

/**
 * @throws Error if the role is certainly in another account than the stack, where neither the controller nor EC2 can
 * use it
 */
export function assertSameAccount(scope: IConstruct, property: string, role: IRole): void {
  const [own, other] = [Stack.of(scope).account, role.env.account];
  if (own === other || Token.isUnresolved(own) || Token.isUnresolved(other)) return;
  throw errorWithoutStack(
    `${scope.node.path}/${property}: must be a role of the cluster's account ${own}, got a role of the account ${other}; ` +
      'create the role in the account of the cluster',
  );
}

/** @throws Error if a property for a new role is set together with an existing role, which ignores it */
export function rejectNewRoleProps(scope: IConstruct, props: object, existing: string, names: readonly string[]): void {
  const ignored = names.find((name) => Reflect.get(props, name) !== undefined);
  if (ignored === undefined || Reflect.get(props, existing) === undefined) return;
  throw errorWithoutStack(
    `${scope.node.path}/${ignored}: must not be set together with ${existing}, got the role ${Reflect.get(props, existing).node.path}; ` +
      'set it on that role',
  );
}
