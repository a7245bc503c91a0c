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
 * A pattern of a CRD, in the syntax and with the meaning of Go's regexp package. What is read here, all of Karpenter's
 * patterns, takes time in proportion to the text; the rest is left to a library that is loaded for it.
 *
 * @throws Error if the pattern is none at all, or is to be searched with and needs the library
 */
export function patternOf(pattern: string): Pattern {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = compilePattern(pattern);
  compiled.set(pattern, made);
  return made;
}

function compilePattern(pattern: string): Pattern {
  try {
    return LinearRegExp.compile(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return throughLibrary(pattern);
    throw error;
  }
}

/** @bufbuild/cel matches with RE2 by itself: its `matches` is the way to it that is public. */
function throughLibrary(pattern: string): Pattern {
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
    find: () => { throw new UnsupportedPattern(`not searched with: ${pattern}`); },
  };
}
