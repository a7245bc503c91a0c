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
