/** What moves the cursor, and what turns the direction of the text around it; lines may end. */
const STEERING = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with such characters spelt out: names and values come from manifests that anyone wrote, and none of them may steer a terminal. */
export function printable(text: string): string {
  return text.replace(STEERING, spelt);
}

function spelt(char: string): string {
  const code = char.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}
