import { hasUnknown, textParts } from './token';

/** The result of a comparison; `unknown` if it depends on values that are known only at deployment. */
export type Answer = 'yes' | 'no' | 'unknown';

/** One element of a pattern or text: a character, a wildcard, or a token that is compared by its name. */
interface MatchSymbol {
  readonly value?: string;
  readonly any?: 'one' | 'many';
}

const MANY: MatchSymbol = { any: 'many' };
const ONE: MatchSymbol = { any: 'one' };

/** Whether two texts are equal after deployment. */
export function sameText(left: string, right: string): Answer {
  if (left === right) return 'yes';
  if (!hasUnknown(left) && !hasUnknown(right)) return 'no';
  return overlap(symbolsOf(left, false, true), symbolsOf(right, false, true)) ? 'unknown' : 'no';
}

/** Whether an IAM pattern matches the whole text: `*` matches any characters, `?` matches one. */
export function covers(pattern: string, text: string): Answer {
  if (overlap(symbolsOf(pattern, true, false), symbolsOf(text, false, false))) return 'yes';
  if (!hasUnknown(pattern) && !hasUnknown(text)) return 'no';
  return overlap(symbolsOf(pattern, true, true), symbolsOf(text, false, true)) ? 'unknown' : 'no';
}

/** Whether some text matches both IAM patterns. */
export function overlaps(left: string, right: string): Answer {
  if (overlap(symbolsOf(left, true, false), symbolsOf(right, true, false))) return 'yes';
  if (!hasUnknown(left) && !hasUnknown(right)) return 'no';
  return overlap(symbolsOf(left, true, true), symbolsOf(right, true, true)) ? 'unknown' : 'no';
}

/** Logical or: one `yes` is enough. */
export function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** Logical and: all have to be `yes`. */
export function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}

function symbolsOf(text: string, isPattern: boolean, tokensMatchAnything: boolean): MatchSymbol[] {
  return textParts(text).flatMap((part): MatchSymbol[] => {
    if (part.token !== undefined)
      return [tokensMatchAnything && !part.generated ? MANY : { value: `token ${part.token}` }];
    return [...part.literal].map((char) =>
      isPattern && char === '*' ? MANY : isPattern && char === '?' ? ONE : { value: char },
    );
  });
}

/** Whether some text matches both symbol lists. */
function overlap(left: readonly MatchSymbol[], right: readonly MatchSymbol[]): boolean {
  // Dynamic programming: row i, cell j says whether the first i symbols of `left` and the first j of `right` can match
  // one text.
  let row = right.reduce<boolean[]>((cells, symbol, j) => [...cells, cells[j] && symbol.any === 'many'], [true]);
  for (const symbol of left) {
    const next = [row[0] && symbol.any === 'many'];
    for (let j = 0; j < right.length; j += 1) {
      const skips =
        (symbol.any === 'many' && (row[j + 1] || next[j])) || (right[j].any === 'many' && (row[j + 1] || next[j]));
      next.push(skips || (row[j] && canBeEqual(symbol, right[j])));
    }
    row = next;
  }
  return row[right.length];
}

function canBeEqual(left: MatchSymbol, right: MatchSymbol): boolean {
  return left.any !== undefined || right.any !== undefined || left.value === right.value;
}
