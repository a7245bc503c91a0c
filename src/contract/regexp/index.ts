import { LinearRegExp } from './linear-regexp';

export interface Pattern {
  /** The most work for one character of a text. */
  readonly size: number;
  test(text: string): boolean;
  find(text: string): string | undefined;
}

const compiled = new Map<string, Pattern>();

/**
 * Compiles a pattern of a CRD with the syntax and meaning of Go's regexp package.
 *
 * @throws InvalidPattern
 */
export function compilePattern(pattern: string): Pattern {
  const cached = compiled.get(pattern);
  if (cached) return cached;
  const result = LinearRegExp.compile(pattern);
  compiled.set(pattern, result);
  return result;
}
