/**
 * Whether two values of an app are the same. What they render as does not tell: two stacks that one class has made have
 * the same logical ids, and clusters of two accounts may have one name.
 */
import { DefaultTokenResolver, IPostProcessor, IResolvable, IResolveContext, Reference, Stack, Stage, StringConcat, Token, Tokenization } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/** A value, and the construct that it is of. */
export interface Placed {
  readonly scope: IConstruct;
  readonly value: unknown;
}

export function isSame(one: Placed, other: Placed): boolean {
  const resolver = new ReferenceResolver(new StringConcat());
  const [left, right] = [one, other].map(({ scope, value }) => JSON.stringify(Tokenization.resolve(value, { scope, resolver })));
  return left === right && (resolver.metReference || areTogether(one.scope, other.scope));
}

/** A name that is written out is of one thing in a region of an account. */
function areTogether(one: IConstruct, other: IConstruct): boolean {
  const [left, right] = [Stack.of(one), Stack.of(other)];
  return mayBeSame(left.account, right.account) && mayBeSame(left.region, right.region) && Stage.of(one) === Stage.of(other);
}

function mayBeSame(one: string, other: string): boolean {
  return one === other || Token.isUnresolved(one) || Token.isUnresolved(other);
}

/** A reference is the construct that it leads to, whichever stack it is looked at from. */
class ReferenceResolver extends DefaultTokenResolver {
  public metReference = false;

  public override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    if (!Reference.isReference(token) || token.displayName.startsWith('AWS::')) return super.resolveToken(token, context, postProcessor);
    this.metReference = true;
    return `${token.target.node.path}.${token.displayName}`;
  }
}
