import { hasUnknown, partsOf } from './token';

/** `unknown` where it depends on what is known only at deployment. */
export type Answer = 'yes' | 'no' | 'unknown';

/** What one character of a pattern or a text can be; a token that is known to be itself is one character. */
interface Symbol { readonly value?: string; readonly any?: 'one' | 'many' }

const MANY: Symbol = { any: 'many' };
const ONE: Symbol = { any: 'one' };

/** Whether two texts are the same at deployment. */
export function sameText(left: string, right: string): Answer {
  if (left === right) return 'yes';
  if (!hasUnknown(left) && !hasUnknown(right)) return 'no';
  return overlap(symbolsOf(left, false, true), symbolsOf(right, false, true)) ? 'unknown' : 'no';
}

/** Whether a text is among those that a pattern of IAM covers: `*` is any characters, `?` is any one. */
export function covers(pattern: string, text: string): Answer {
  if (overlap(symbolsOf(pattern, true, false), symbolsOf(text, false, false))) return 'yes';
  if (!hasUnknown(pattern) && !hasUnknown(text)) return 'no';
  return overlap(symbolsOf(pattern, true, true), symbolsOf(text, false, true)) ? 'unknown' : 'no';
}

/** Whether some text is covered by both of two patterns of IAM. */
export function overlaps(left: string, right: string): Answer {
  if (overlap(symbolsOf(left, true, false), symbolsOf(right, true, false))) return 'yes';
  if (!hasUnknown(left) && !hasUnknown(right)) return 'no';
  return overlap(symbolsOf(left, true, true), symbolsOf(right, true, true)) ? 'unknown' : 'no';
}

/** The best of several answers: one yes is enough. */
export function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** Of several answers that all must be yes. */
export function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}

function symbolsOf(text: string, isPattern: boolean, unknownIsAnything: boolean): Symbol[] {
  return partsOf(text).flatMap((part): Symbol[] => {
    if (part.token !== undefined) return [unknownIsAnything && !part.generated ? MANY : { value: `token ${part.token}` }];
    return [...part.literal].map((char) => isPattern && char === '*' ? MANY : isPattern && char === '?' ? ONE : { value: char });
  });
}

/** Whether some text is described by both. */
function overlap(left: readonly Symbol[], right: readonly Symbol[]): boolean {
  // Row by row over the left one: whether its first i symbols and the first j of the right one can be the same text.
  let row = right.reduce<boolean[]>((cells, symbol, j) => [...cells, cells[j] && symbol.any === 'many'], [true]);
  for (const symbol of left) {
    const next = [row[0] && symbol.any === 'many'];
    for (let j = 0; j < right.length; j += 1) {
      const skips = (symbol.any === 'many' && (row[j + 1] || next[j])) || (right[j].any === 'many' && (row[j + 1] || next[j]));
      next.push(skips || (row[j] && alike(symbol, right[j])));
    }
    row = next;
  }
  return row[right.length];
}

function alike(left: Symbol, right: Symbol): boolean {
  return left.any !== undefined || right.any !== undefined || left.value === right.value;
}
