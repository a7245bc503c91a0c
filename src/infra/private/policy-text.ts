import { Stack, Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/**
 * A document as CloudFormation takes it. Where a key holds a token, it is a text of JSON: a template has no other way
 * to write such a key, short of a function that is called at deployment.
 */
export function toPolicyDocument(scope: IConstruct, document: object): unknown {
  return hasTokenInKey(document) ? Stack.of(scope).toJsonString(document) : document;
}

function hasTokenInKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, child]) => Token.isUnresolved(key) || hasTokenInKey(child));
}
