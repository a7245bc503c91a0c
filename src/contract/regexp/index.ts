import { LinearRegExp } from './linear-regexp';
import { UnsupportedPattern } from './syntax';

export { UnsupportedPattern } from './syntax';

export interface Pattern {
  /** The most work for one character of a text. */
  readonly size: number;
  test(text: string): boolean;
  find(text: string): string | undefined;
}

const compiled = new Map<string, Pattern>();

/**
 * Compiles a pattern of a CRD with the syntax and meaning of Go's regexp package. LinearRegExp covers all of
 * Karpenter's patterns in time proportional to the text. A library, loaded on demand, matches the other patterns.
 *
 * @throws Error if the pattern is invalid
 */
export function compilePattern(pattern: string): Pattern {
  const cached = compiled.get(pattern);
  if (cached) return cached;
  const result = compileUncached(pattern);
  compiled.set(pattern, result);
  return result;
}

function compileUncached(pattern: string): Pattern {
  try {
    return LinearRegExp.compile(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return matchWithLibrary(pattern);
    throw error;
  }
}

/** @bufbuild/cel contains an RE2 matcher. The only public way to that matcher is the CEL function `matches`. */
function matchWithLibrary(pattern: string): Pattern {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { run } = require('@bufbuild/cel') as typeof import('@bufbuild/cel');
  const test = (text: string) => {
    const result = run('text.matches(pattern)', { text, pattern });
    if (typeof result !== 'boolean') throw new Error(`not a pattern: ${pattern}`);
    return result;
  };
  test('');
  return {
    size: pattern.length,
    test,
    find: () => {
      throw new UnsupportedPattern(`find() does not support this pattern: ${pattern}`);
    },
  };
}
