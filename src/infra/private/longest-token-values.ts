/** Replaces tokens by the longest values that they can have at deployment, to check length limits at synth. */
import { IResolvable, Stack, Token, Tokenization } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { IamStatement, LONGEST_VALUES } from '../../contract';

/** The longest ARN that the statements contain is that of a cluster. */
const LONGEST_ARN = `arn:${LONGEST_VALUES.partition}:eks:${LONGEST_VALUES.region}:${LONGEST_VALUES.account}:cluster/${LONGEST_VALUES.clusterName}`;

/** The statements with each token replaced by its longest possible value. */
export function withLongestTokenValues(scope: IConstruct, statements: readonly IamStatement[]): IamStatement[] {
  return replace(statements, scope) as IamStatement[];
}

function replace(value: unknown, scope: IConstruct): unknown {
  if (typeof value === 'string') return longestText(scope, value);
  if (Array.isArray(value)) return value.map((child) => replace(child, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [longestText(scope, key), replace(child, scope)]),
  );
}

/** The text with each token replaced by its longest possible value. */
export function longestText(scope: IConstruct, text: string): string {
  return mapTokens(text, (token) => longestValue(JSON.stringify(Stack.of(scope).resolve(token))));
}

/** The part of the text that is known at synth. */
export function textWithoutTokens(text: string): string {
  return mapTokens(text, () => '');
}

function mapTokens(text: string, mapToken: (token: IResolvable) => string): string {
  if (!Token.isUnresolved(text)) return text;
  return Tokenization.reverseString(text)
    .mapTokens({ mapToken })
    .join({ join: (left, right) => `${left}${right}` });
}

function longestValue(reference: string): string {
  if (reference.includes('AWS::Partition')) return LONGEST_VALUES.partition;
  if (reference.includes('AWS::Region')) return LONGEST_VALUES.region;
  if (reference.includes('AWS::AccountId')) return LONGEST_VALUES.account;
  return reference.includes('"Arn"') ? LONGEST_ARN : LONGEST_VALUES.clusterName;
}
