/** Publishes the values that a GitOps repository needs, as outputs and SSM parameters. */
import { CfnOutput, Stack, Token } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { errorWithoutStack } from '../../model';
import { GitOpsValuesOptions } from '../gitops-values';

/** Paths of SSM parameters: names below a slash. */
const PARAMETER_PATH = /^(?:\/[\w.-]+)+$/;

/** Predictable, such as `KarpenterNodeRoleName`, because pipelines read outputs by their names. */
function outputName(owner: Construct, name: string): string {
  const path = owner.node.scopes.slice(Stack.of(owner).node.scopes.length).map(({ node }) => node.id);
  return `${path.join('').replace(/[^A-Za-z0-9]/g, '')}${name}`;
}

/**
 * @param owner construct whose values are published
 * @param values text by name; values that do not exist are left out
 * @throws Error if the path is not a path of SSM parameters
 */
export function publishValues(
  owner: Construct,
  values: Readonly<Record<string, string | undefined>>,
  { outputs = true, parameterPath }: GitOpsValuesOptions,
): void {
  const scope = new Construct(owner, 'Values');
  if (parameterPath !== undefined && !Token.isUnresolved(parameterPath) && !PARAMETER_PATH.test(parameterPath)) {
    throw errorWithoutStack(
      `${scope.node.path}/parameterPath: must begin with a slash and have letters, digits, dots, hyphens and underscores between slashes, ` +
        `got ${JSON.stringify(parameterPath)}; write for example /shop/karpenter`,
    );
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (outputs)
      new CfnOutput(scope, `${name}Output`, { value, description: `Karpenter: ${name}` }).overrideLogicalId(
        outputName(owner, name),
      );
    if (parameterPath !== undefined)
      new StringParameter(scope, `${name}Parameter`, {
        parameterName: `${parameterPath}/${name}`,
        stringValue: value,
      });
  }
}
