const YES = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']);
const NO = new Set(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF']);

/** kubectl reads these words as booleans (YAML 1.1), and the API server then refuses them where it wants a text. */
export function wordValue(plain: string): string | boolean {
  if (YES.has(plain)) return true;
  return NO.has(plain) ? false : plain;
}

/** Numbers that JSON cannot hold exactly stay the text that was written. */
export function numberValue(value: number, written: string): number | string {
  return Number.isInteger(value) && !Number.isSafeInteger(value) || !Number.isFinite(value) ? written : value;
}
