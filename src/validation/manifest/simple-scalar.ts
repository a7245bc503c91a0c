import { NOT_SIMPLE, SimpleText } from './simple-text';
import { numberValue, wordValue } from './written-scalar';

const [SINGLE_QUOTE, DOUBLE_QUOTE, SPACE, NEWLINE, COLON] = [...'\'" \n:'].map((mark) => mark.charCodeAt(0));
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;
/** With the escapes of JSON; YAML has more. */
const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

const PLAIN_KEY = /[A-Za-z0-9_][A-Za-z0-9_./-]*(?=:(?:[ \n]|$))/y;
/** YAML refuses keys of more than 1,024 characters, with what stands around them. */
const LONGEST_KEY = 500;

const LINE = /[^\n]+/y;
const IN_FLOW = /(?:[^,[\]{}:#\n]|:(?![ ,[\]{}\n]|$))+/y;
/** YAML lets a plain scalar begin with more than this. */
const PLAIN_START = /^(?:[A-Za-z0-9_./+$~]|-[^ ])/;
const INTEGER = /^[-+]?[0-9]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Begins like no number, and like none of the words that are something else. */
const SURELY_TEXT = /^[A-EG-MP-SU-XZa-eg-mp-su-xz_/$]/;
/** Numbers in other bases, infinities, and what is no number. */
const RARE_NUMBER = /^(?:0[ox]|[-+]?\.[A-Za-z])/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['~', null], ['null', null], ['Null', null], ['NULL', null],
  ['true', true], ['True', true], ['TRUE', true],
  ['false', false], ['False', false], ['FALSE', false],
]);

/** Goes over a key, up to its colon; undefined where none comes next. */
export function simpleKey(text: SimpleText, isInFlow: boolean): string | undefined {
  const key = isQuote(text.next()) ? quotedKey(text, isInFlow) : text.match(PLAIN_KEY);
  if (key !== undefined && key.length > LONGEST_KEY) throw NOT_SIMPLE;
  return key;
}

/** Goes over a scalar of one line. What stands behind it is for the caller to look at. */
export function simpleScalar(text: SimpleText, isInFlow: boolean): unknown {
  if (isQuote(text.next())) return quoted(text);
  return plainValue(isInFlow ? (text.match(IN_FLOW) ?? '').trimEnd() : plainLine(text));
}

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

function quotedKey(text: SimpleText, isInFlow: boolean): string | undefined {
  const start = text.at;
  const key = quoted(text);
  const behind = text.next(1);
  if (text.next() === COLON && (isInFlow || behind === SPACE || behind === NEWLINE || Number.isNaN(behind))) return key;
  text.at = start;
  return undefined;
}

function quoted(text: SimpleText): string {
  const isSingle = text.next() === SINGLE_QUOTE;
  const written = text.match(isSingle ? SINGLE_QUOTED : DOUBLE_QUOTED);
  if (written === undefined) throw NOT_SIMPLE;
  const inner = written.slice(1, -1);
  if (isSingle) return inner.replaceAll('\'\'', '\'');
  return inner.includes('\\') ? JSON.parse(written) as string : inner;
}

/** All of a line but its comment. */
function plainLine(text: SimpleText): string {
  const start = text.at;
  const line = text.match(LINE) ?? '';
  const comment = line.indexOf(' #');
  const plain = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  if (plain.includes(': ') || plain.endsWith(':')) throw NOT_SIMPLE;
  text.at = start + plain.length;
  return plain;
}

function plainValue(plain: string): unknown {
  if (SURELY_TEXT.test(plain)) return plain;
  if (!PLAIN_START.test(plain) || RARE_NUMBER.test(plain)) throw NOT_SIMPLE;
  const word = WORDS.get(plain);
  if (word !== undefined) return word;
  if (INTEGER.test(plain)) return numberValue(parseInt(plain, 10), plain);
  return FLOAT.test(plain) ? numberValue(parseFloat(plain), plain) : wordValue(plain);
}
