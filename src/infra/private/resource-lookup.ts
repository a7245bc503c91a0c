/**
 * Finds resources of the app and compares the values of their properties. Comparing rendered values is not enough:
 * two stacks of one class have the same logical ids, and clusters of two accounts may have the same name.
 */
import {
  CfnResource,
  DefaultTokenResolver,
  IPostProcessor,
  IResolvable,
  IResolveContext,
  Reference,
  Stack,
  Stage,
  StringConcat,
  Token,
  Tokenization,
} from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/** A value, and the construct in whose stack it is resolved. */
export interface ScopedValue {
  readonly scope: IConstruct;
  readonly value: unknown;
}

/**
 * Whether both values are a reference to the same attribute, or the same text in the same account, region and stage.
 */
export function isSameReference(one: ScopedValue, other: ScopedValue): boolean {
  const resolver = new ReferenceResolver(new StringConcat());
  const [left, right] = [one, other].map(({ scope, value }) =>
    JSON.stringify(Tokenization.resolve(value, { scope, resolver })),
  );
  return left === right && (resolver.sawReference || haveSameEnvironment(one.scope, other.scope));
}

/** A name written as text is unique only within one region of one account, and within one stage of the app. */
function haveSameEnvironment(one: IConstruct, other: IConstruct): boolean {
  const [left, right] = [Stack.of(one), Stack.of(other)];
  return (
    mayBeSame(left.account, right.account) && mayBeSame(left.region, right.region) && Stage.of(one) === Stage.of(other)
  );
}

function mayBeSame(one: string, other: string): boolean {
  return one === other || Token.isUnresolved(one) || Token.isUnresolved(other);
}

/**
 * Resolves a reference to the path of its target construct, so that the result does not depend on the stack that uses
 * it.
 */
class ReferenceResolver extends DefaultTokenResolver {
  public sawReference = false;

  public override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    if (!Reference.isReference(token) || token.displayName.startsWith('AWS::'))
      return super.resolveToken(token, context, postProcessor);
    this.sawReference = true;
    return `${token.target.node.path}.${token.displayName}`;
  }
}

/**
 * All resources of the app with this CloudFormation type, because each CDK library of a service has its own classes for
 * them.
 */
export function cfnResourcesOfType(scope: IConstruct, type: string): CfnResource[] {
  return scope.node.root.node
    .findAll()
    .filter((construct) => CfnResource.isCfnResource(construct))
    .filter(({ cfnResourceType }) => cfnResourceType === type);
}

/** Whether the property of the resource has one of the values, which are resolved in `scope`. */
export function hasPropertyValue(
  resource: CfnResource,
  property: string,
  scope: IConstruct,
  values: readonly string[],
): boolean {
  const propertyValue = { scope: resource, value: Reflect.get(resource, property) };
  return values.some((value) => isSameReference(propertyValue, { scope, value }));
}
