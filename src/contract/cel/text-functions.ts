import { costOfLength, spend } from './cost';
import { CelError, CelFunction, CelValue, integerOf, listOf, textOf } from './value';
import { Pattern, compilePattern } from '../regexp';

/** Functions of texts. Positions count code points. */
export const TEXT_FUNCTIONS: ReadonlyArray<readonly [string, CelFunction]> = [
  ['startsWith/2', (text, start) => textOf(text).startsWith(textOf(start))],
  ['endsWith/2', (text, end) => textOf(text).endsWith(textOf(end))],
  ['contains/2', (text, part) => searched(text, part).includes(textOf(part))],
  ['matches/2', (text, pattern) => search(text, pattern).test(textOf(text))],
  ['find/2', (text, pattern) => search(text, pattern).find(textOf(text)) ?? ''],
  ['split/2', (text, separator) => split(searched(text, separator), textOf(separator), Infinity)],
  ['split/3', (text, separator, limit) => split(searched(text, separator), textOf(separator), limitOf(limit))],
  ['join/1', (list) => join(list, '')],
  ['join/2', (list, separator) => join(list, textOf(separator))],
  ['lowerAscii/1', (text) => textOf(text).replace(/[A-Z]+/g, (part) => part.toLowerCase())],
  ['upperAscii/1', (text) => textOf(text).replace(/[a-z]+/g, (part) => part.toUpperCase())],
  ['trim/1', (text) => textOf(text).trim()],
  ['replace/3', (text, old, by) => replace(searched(text, old), textOf(old), textOf(by), Infinity)],
  ['replace/4', (text, old, by, limit) => replace(searched(text, old), textOf(old), textOf(by), limitOf(limit))],
  ['charAt/2', (text, at) => charAt([...textOf(text)], Number(integerOf(at)))],
  ['substring/2', (text, begin) => substring([...textOf(text)], integerOf(begin), undefined)],
  ['substring/3', (text, begin, end) => substring([...textOf(text)], integerOf(begin), integerOf(end))],
];

/** The pattern, after the cost of searching the text is counted. */
function search(text: CelValue, pattern: CelValue): Pattern {
  const compiled = compilePattern(textOf(pattern));
  spend((textOf(text).length * compiled.size) / 10);
  return compiled;
}

/** The text, after the cost of looking for a part at each place is counted. */
function searched(text: CelValue, part: CelValue): string {
  const whole = textOf(text);
  spend(costOfLength(whole.length) * costOfLength(textOf(part).length));
  return whole;
}

/** A negative limit means no limit. */
function limitOf(limit: CelValue): number {
  const count = integerOf(limit);
  return count < 0n ? Infinity : Number(count);
}

function split(text: string, separator: string, limit: number): string[] {
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit === 0) return [];
  return parts.length <= limit ? parts : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function join(list: CelValue, separator: string): string {
  const texts = listOf(list).map(textOf);
  spend(costOfLength(texts.length * separator.length));
  return texts.join(separator);
}

/** As Go's `strings.Replace`. */
function replace(text: string, old: string, replacement: string, limit: number): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  spend(costOfLength(Math.min(limit, parts.length) * replacement.length));
  const head = parts.slice(0, limit + 1).join(replacement);
  return [head, ...parts.slice(limit + 1)].join(old);
}

function charAt(characters: readonly string[], at: number): string {
  if (at < 0 || at > characters.length) throw new CelError(`index out of range: ${at}`);
  return characters[at] ?? '';
}

function substring(characters: readonly string[], begin: bigint, end: bigint | undefined): string {
  const [from, to] = [Number(begin), Number(end ?? characters.length)];
  if (from < 0 || to > characters.length || from > to) throw new CelError(`invalid substring range: ${from}, ${to}`);
  return characters.slice(from, to).join('');
}
