/** Roles as the ConfigMap aws-auth needs them. */
import { Stack } from 'aws-cdk-lib';
import { CfnRole, IRole } from 'aws-cdk-lib/aws-iam';

/**
 * The role with an ARN without path, as aws-auth needs it: nodes authenticate with the ARN of an assumed role, which
 * contains no path.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html
 */
export function roleWithoutPath(role: IRole): IRole {
  const cfnRole = role.node.defaultChild;
  const hasPath =
    cfnRole instanceof CfnRole ? ![undefined, '/'].includes(cfnRole.path) : /:role\/.+\//.test(role.roleArn);
  if (!hasPath) return role;
  const roleArn = Stack.of(role).formatArn({
    service: 'iam',
    region: '',
    account: role.env.account,
    resource: 'role',
    resourceName: role.roleName,
  });
  return Object.create(role, { roleArn: { value: roleArn } });
}
