import { IResolvable, Stack, Token, Tokenization } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { IamStatement, LONGEST } from '../../contract';

/** Longest ARN of what the statements refer to: that of a cluster. */
const LONGEST_ARN = `arn:${LONGEST.partition}:eks:${LONGEST.region}:${LONGEST.account}:cluster/${LONGEST.clusterName}`;

/** The statements with each token replaced by the longest value that it may turn out to have. */
export function longestOf(scope: IConstruct, statements: readonly IamStatement[]): IamStatement[] {
  return replace(statements, scope) as IamStatement[];
}

function replace(value: unknown, scope: IConstruct): unknown {
  if (typeof value === 'string') return longestText(scope, value);
  if (Array.isArray(value)) return value.map((child) => replace(child, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [longestText(scope, key), replace(child, scope)]));
}

/** The text with each token replaced by the longest value that it may turn out to have. */
export function longestText(scope: IConstruct, text: string): string {
  return withTokens(text, (token) => longestValue(JSON.stringify(Stack.of(scope).resolve(token))));
}

/** What of the text is known before the deployment. */
export function knownText(text: string): string {
  return withTokens(text, () => '');
}

function withTokens(text: string, mapToken: (token: IResolvable) => string): string {
  if (!Token.isUnresolved(text)) return text;
  return Tokenization.reverseString(text).mapTokens({ mapToken }).join({ join: (left, right) => `${left}${right}` });
}

function longestValue(reference: string): string {
  if (reference.includes('AWS::Partition')) return LONGEST.partition;
  if (reference.includes('AWS::Region')) return LONGEST.region;
  if (reference.includes('AWS::AccountId')) return LONGEST.account;
  return reference.includes('"Arn"') ? LONGEST_ARN : LONGEST.clusterName;
}
