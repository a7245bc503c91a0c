/** Parts of IAM and KMS policies: ARNs of the app's keys and parameters, documents, and key policy statements. */
import { Stack, Token } from 'aws-cdk-lib';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias, CfnKey, IKey } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { IConstruct } from 'constructs';
import { PolicyTarget, volumeKeyPolicyStatements } from '../../contract';

/**
 * The ARN of the key with this name (an ARN, an id or an alias), or the name itself if the key is not in the app. The
 * key is looked up because its ARN cannot be derived from a name that is a reference.
 */
export function arnOfKey(scope: IConstruct, name: string): string {
  for (const construct of referenceCandidates(scope, name)) {
    if (construct instanceof CfnKey && construct.ref === name) return construct.attrArn;
    if (construct instanceof Alias && [construct.aliasName, construct.keyArn].includes(name))
      return construct.aliasTargetKey.keyArn;
  }
  return name;
}

/**
 * The ARN of the SSM parameter with this name, which may begin with a slash or not. The name itself if the parameter is
 * not in the app.
 */
export function arnOfParameter(scope: IConstruct, name: string): string {
  const parameter = referenceCandidates(scope, name).find(
    (construct) => construct instanceof StringParameter && construct.parameterName === name,
  );
  return parameter instanceof StringParameter ? parameter.parameterArn : name;
}

/** All constructs of the app if the name is a reference, otherwise none. */
function referenceCandidates({ node }: IConstruct, name: string): IConstruct[] {
  return Token.isUnresolved(name) ? node.root.node.findAll() : [];
}

/** Lets EBS encrypt volumes with the key when the controller or the EC2 Spot service launches a node. */
export function allowVolumeEncryption(key: IKey, place: Pick<PolicyTarget, 'partition' | 'region' | 'account'>): void {
  for (const { Sid, Action, Resource, Condition } of volumeKeyPolicyStatements(place)) {
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: Sid,
        principals: [new AnyPrincipal()],
        actions: [...Action],
        resources: [...Resource],
        conditions: Condition,
      }),
    );
  }
}

/**
 * The policy document for a template. If a key contains a token, the document is rendered as a JSON string, because a
 * template can only express such a key with a custom resource that runs at deployment.
 */
export function toPolicyDocument(scope: IConstruct, document: object): unknown {
  return hasTokenInKey(document) ? Stack.of(scope).toJsonString(document) : document;
}

function hasTokenInKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, child]) => Token.isUnresolved(key) || hasTokenInKey(child));
}
