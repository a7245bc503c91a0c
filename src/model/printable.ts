/** Characters that move the cursor or change the direction of text; line feeds are allowed. */
const CONTROL_CHARACTERS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** aws-cdk-lib encodes a token in a number near -1.888e+289. */
const LARGEST_TOKEN = -1e280;

/**
 * The text with control characters escaped. Names and values come from manifests of any origin, and must not be able to
 * control a terminal.
 */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, escaped);
}

/**
 * The text on one line. A line of its own could begin with `::error` or `##[error]`, which CI runners take for a
 * command.
 */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

/**
 * The value as indented JSON with a line feed at its end. JSON.stringify leaves the characters U+007F to U+009F and
 * those that change the direction of text as they are.
 */
export function jsonText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const json = JSON.stringify(value, replacer, 2);
  return `${json.replace(CONTROL_CHARACTERS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

function escaped(char: string): string {
  const code = char.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}

/** Whether a number stands for a value that is known only at deployment. */
export function isTokenNumber(value: number): boolean {
  return value < LARGEST_TOKEN;
}

/** How aws-cdk-lib encodes a token in a string. */
const TOKEN_IN_TEXT = '${Token[';

/** Whether a text contains a value that is known only at deployment. */
export function isTokenText(value: string): boolean {
  return value.includes(TOKEN_IN_TEXT);
}

/** The number for an error message. Plain JavaScript also passes strings, whose quotes show the mistake. */
export function shownNumber(value: unknown): string {
  if (typeof value === 'string') return `${JSON.stringify(value)} (a string)`;
  if (typeof value === 'number' && isTokenNumber(value)) return 'a token, whose value is known only at deployment';
  return valueText(value);
}

/**
 * The text of a value of YAML or JSON, as `String` makes it of scalars. A list is `[…]` and a mapping is `{…}`. Objects
 * of a class, such as a Quantity or a Date, have the text that their class gives them.
 *
 * Values of untrusted files have no prototype, so `String` throws for mappings, and for lists with mappings in them.
 * That is also true of template literals.
 */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return isMapping(value) ? '{…}' : String(value);
}

function isMapping(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
