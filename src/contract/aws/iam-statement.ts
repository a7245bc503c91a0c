/** Condition keys by operator, such as `{ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } }`. */
export type IamCondition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** One statement of an IAM policy. Fields that IAM allows as one value or a list are lists. */
export interface IamStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: IamCondition;
}

/** An IAM policy document. */
export interface IamDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly IamStatement[];
}

/**
 * The statements as one document. A list with one item becomes a string, as upstream writes it, because the policy's
 * size is counted in characters.
 */
export function toIamDocument(statements: readonly IamStatement[]): Record<string, unknown> {
  return {
    Version: '2012-10-17',
    Statement: statements.map((statement) => ({
      ...statement,
      Action: oneOrMany(statement.Action),
      Resource: oneOrMany(statement.Resource),
    })),
  };
}

function oneOrMany(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : [...values];
}

/**
 * A statement as a user can copy it into a policy by hand. References of a template are written in angle brackets, such
 * as `<AWS::AccountId>`, because they have no value at synth.
 *
 * @param resolved statement after the CDK has resolved its tokens
 */
export function statementText(resolved: unknown): string {
  return JSON.stringify(withoutReferences(resolved));
}

/**
 * A text of a template in one line, with its references in angle brackets. cdk-nag writes values in the same way.
 *
 * @param resolved text after the CDK has resolved its tokens
 */
export function readableValue(resolved: unknown): string {
  const value = withoutReferences(resolved);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReferences);
  const entries = Object.entries(value);
  if (entries.length === 1) {
    const [name, argument] = entries[0];
    if (name === 'Ref') return `<${argument}>`;
    if (name === 'Fn::GetAtt') return `<${[argument].flat().join('.')}>`;
    if (name === 'Fn::Join') return (argument[1] as unknown[]).map(withoutReferences).join(argument[0]);
  }
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutReferences(child)]));
}
