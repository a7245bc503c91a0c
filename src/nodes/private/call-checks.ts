/**
 * Checks of values at the call that names them, so that the stack trace shows the line. Values that are known only at
 * deployment pass.
 */
import { isUnresolved } from './unresolved';
import { shownNumber } from '../../model';

/** What a text must look like. */
export interface Form {
  readonly pattern: RegExp;
  /** The form in words, after `must be`. */
  readonly words: string;
  readonly example: string;
}

/** The id of a resource of EC2: a prefix, and 8 or 17 hexadecimal digits. */
export function idForm(prefix: string): Form {
  return {
    pattern: new RegExp(`^${prefix}-(?:[0-9a-f]{8}|[0-9a-f]{17})$`),
    words: `${prefix}- and 8 or 17 hexadecimal digits`,
    example: `${prefix}-0123456789abcdef0`,
  };
}

export const ACCOUNT_ID: Form = { pattern: /^\d{12}$/, words: 'an account id of 12 digits', example: '111122223333' };

/**
 * @param name method or property, for the message
 * @throws Error if the text does not have the form
 */
export function requireForm(name: string, value: string, { pattern, words, example }: Form): void {
  if (isUnresolved(value) || (typeof value === 'string' && pattern.test(value))) return;
  const text = typeof value === 'string' ? JSON.stringify(value) : shownNumber(value);
  throw new Error(`${name}: must be ${words}, got ${text}; write for example ${example}`);
}

/** @throws Error if the value is not a whole number in the range */
export function requireWhole(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (isUnresolved(value) || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new Error(`${name}: must be a whole number ${range}, got ${shownNumber(value)}; write for example ${min}`);
}

/** @throws Error if there is no tag */
export function requireTags(name: string, tags: { [key: string]: string }): void {
  if (Object.keys(tags).length > 0) return;
  throw new Error(
    `${name}: must have at least one tag, got {}; write for example { 'karpenter.sh/discovery': 'my-cluster' }`,
  );
}
