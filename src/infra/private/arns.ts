/**
 * ARNs of keys and parameters of the app. A policy needs the ARN, which cannot be derived from a name that is a
 * reference.
 */
import { Token } from 'aws-cdk-lib';
import { Alias, CfnKey } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { IConstruct } from 'constructs';

/**
 * The ARN of the key with this name (an ARN, an id or an alias); the name itself if the key is not in the app.
 */
export function arnOfKey(scope: IConstruct, name: string): string {
  for (const construct of constructsNamed(scope, name)) {
    if (construct instanceof CfnKey && construct.ref === name) return construct.attrArn;
    if (construct instanceof Alias && [construct.aliasName, construct.keyArn].includes(name)) return construct.aliasTargetKey.keyArn;
  }
  return name;
}

/**
 * Of the parameter of the name, which may begin with a slash or not; the name itself where the parameter is not of the
 * app.
 */
export function arnOfParameter(scope: IConstruct, name: string): string {
  const found = constructsNamed(scope, name).find((construct) => construct instanceof StringParameter && construct.parameterName === name);
  return found instanceof StringParameter ? found.parameterArn : name;
}

/** Everything that a reference may be to. */
function constructsNamed({ node }: IConstruct, name: string): IConstruct[] {
  return Token.isUnresolved(name) ? node.root.node.findAll() : [];
}
