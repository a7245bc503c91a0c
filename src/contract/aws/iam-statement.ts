/** Keys of the request by operator, such as `{ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } }`. */
export type IamCondition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** One statement of an IAM policy, in the words of IAM's grammar, with lists where IAM takes one or many. */
export interface IamStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: IamCondition;
}

/** A policy as IAM stores it. */
export interface IamDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly IamStatement[];
}

/**
 * The statements as one document, with a text where a list has one item, as upstream writes it: sizes are counted in
 * characters.
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
