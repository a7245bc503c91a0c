/** Ranges of code points, first and last included. */
export type CodeRanges = ReadonlyArray<readonly [first: number, last: number]>;

const LAST_CODE = 0x10ffff;
const DIGIT: CodeRanges = [[48, 57]];
const UPPER: CodeRanges = [[65, 90]];
const LOWER: CodeRanges = [[97, 122]];
const ALPHA: CodeRanges = [...UPPER, ...LOWER];
const WORD: CodeRanges = [...DIGIT, ...ALPHA, [95, 95]];
/** White space in RE2: ASCII only, without the vertical tab. */
const SPACE: CodeRanges = [
  [9, 10],
  [12, 13],
  [32, 32],
];
export const NEWLINE: CodeRanges = [[10, 10]];
export const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The classes after a backslash. */
export const PERL_CLASSES: Readonly<Record<string, CodeRanges>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: complement(DIGIT),
  W: complement(WORD),
  S: complement(SPACE),
};

const ASCII_CLASSES: Readonly<Record<string, CodeRanges>> = {
  alnum: [...DIGIT, ...ALPHA],
  alpha: ALPHA,
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: DIGIT,
  graph: [[33, 126]],
  lower: LOWER,
  print: [[32, 126]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: UPPER,
  word: WORD,
  xdigit: [...DIGIT, [65, 70], [97, 102]],
};

/** `[:alpha:]`. Undefined if there is no such class. */
export function asciiClass(name: string, negated: boolean): CodeRanges | undefined {
  if (!Object.hasOwn(ASCII_CLASSES, name)) return undefined;
  return negated ? complement(ASCII_CLASSES[name]) : ASCII_CLASSES[name];
}

const unicodeClasses = new Map<string, CodeRanges | undefined>();

/** `\p{L}` or `\p{Greek}`. Undefined if Unicode has no such category or script. */
export function unicodeClass(name: string, negated: boolean): CodeRanges | undefined {
  if (!unicodeClasses.has(name)) unicodeClasses.set(name, name === 'Any' ? [[0, LAST_CODE]] : readUnicodeClass(name));
  const ranges = unicodeClasses.get(name);
  return ranges && negated ? complement(ranges) : ranges;
}

function readUnicodeClass(name: string): CodeRanges | undefined {
  const member = propertyOf(`gc=${name}`) ?? propertyOf(`sc=${name}`);
  if (!member) return undefined;
  const ranges: Array<[number, number]> = [];
  for (let code = 0; code <= LAST_CODE; code++) {
    if (!member.test(String.fromCodePoint(code))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

/** JavaScript has the categories and scripts of Unicode under the same names. */
function propertyOf(property: string): RegExp | undefined {
  try {
    return new RegExp(`^\\p{${property}}$`, 'u');
  } catch {
    return undefined;
  }
}

/** All code points outside the ranges. */
function complement(ranges: CodeRanges): CodeRanges {
  const outside: Array<readonly [number, number]> = [];
  let next = 0;
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    if (first > next) outside.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  return next > LAST_CODE ? outside : [...outside, [next, LAST_CODE]];
}

/** Whether a character of a word, as in `\b`. */
export function isWordCharacter(code: number | undefined): boolean {
  return code !== undefined && WORD.some(([first, last]) => code >= first && code <= last);
}
