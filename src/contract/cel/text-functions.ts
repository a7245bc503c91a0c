import { costOfLength, spend } from './cost';
import { CelError, CelFunction, CelValue, integerOf, celList, celText } from './value';
import { Pattern, compilePattern } from '../regexp';

/** Functions of texts. Positions count code points. */
export const TEXT_FUNCTIONS: ReadonlyArray<readonly [string, CelFunction]> = [
  ['startsWith/2', (text, start) => celText(text).startsWith(celText(start))],
  ['endsWith/2', (text, end) => celText(text).endsWith(celText(end))],
  ['contains/2', (text, part) => searched(text, part).includes(celText(part))],
  ['matches/2', (text, pattern) => search(text, pattern).test(celText(text))],
  ['find/2', (text, pattern) => search(text, pattern).find(celText(text)) ?? ''],
  ['split/2', (text, separator) => split(searched(text, separator), celText(separator), Infinity)],
  ['split/3', (text, separator, limit) => split(searched(text, separator), celText(separator), limitOf(limit))],
  ['join/1', (list) => join(list, '')],
  ['join/2', (list, separator) => join(list, celText(separator))],
  ['lowerAscii/1', (text) => celText(text).replace(/[A-Z]+/g, (part) => part.toLowerCase())],
  ['upperAscii/1', (text) => celText(text).replace(/[a-z]+/g, (part) => part.toUpperCase())],
  ['trim/1', (text) => celText(text).trim()],
  ['replace/3', (text, old, by) => replace(searched(text, old), celText(old), celText(by), Infinity)],
  ['replace/4', (text, old, by, limit) => replace(searched(text, old), celText(old), celText(by), limitOf(limit))],
  ['charAt/2', (text, at) => charAt([...celText(text)], Number(integerOf(at)))],
  ['substring/2', (text, begin) => substring([...celText(text)], integerOf(begin), undefined)],
  ['substring/3', (text, begin, end) => substring([...celText(text)], integerOf(begin), integerOf(end))],
];

/** The pattern, after the cost of searching the text is counted. */
function search(text: CelValue, pattern: CelValue): Pattern {
  const compiled = compilePattern(celText(pattern));
  spend((celText(text).length * compiled.size) / 10);
  return compiled;
}

/** The text, after the cost of looking for a part at each place is counted. */
function searched(text: CelValue, part: CelValue): string {
  const whole = celText(text);
  spend(costOfLength(whole.length) * costOfLength(celText(part).length));
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
  const texts = celList(list).map(celText);
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
