import { valueText } from '../../../model';
/** Unquoted words that are not strings. */
const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);
const BEGINS_NUMBER = /^[-+.\d]/;
const INTEGER = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/**
 * The value of an unquoted, untagged scalar as kubectl reads it.
 *
 * kubectl reads YAML 1.1: `yes` is a boolean, `0755` an octal number and `1_000` one thousand. The API server then
 * rejects such a value where it expects a string. Infinity and NaN stay strings, because kubectl cannot write them as
 * JSON.
 *
 * @see https://github.com/kubernetes-sigs/yaml/blob/v1.6.0/yaml.go
 */
export function plainScalarValue(written: string): null | boolean | number | string {
  const word = WORDS.get(written);
  if (word !== undefined) return word;
  if (!BEGINS_NUMBER.test(written)) return written;
  // A number that begins with a point cannot have underscores.
  const digits = written.startsWith('.') ? written : written.replaceAll('_', '');
  const integer = INTEGER.exec(digits);
  const value = integer ? integerValue(integer) : FLOAT.test(digits) ? Number(digits) : NaN;
  return Number.isNaN(value) ? written : numberValue(value, written);
}

/** An unquoted, untagged key as kubectl reads it: `y: 1` sets the key `true`. */
export function plainScalarKey(written: string): string {
  const value = plainScalarValue(written);
  return value === null ? written : valueText(value);
}

/** A number that JSON cannot represent exactly stays the string that was written. */
export function numberValue(value: number, written: string): number | string {
  return (Number.isInteger(value) && !Number.isSafeInteger(value)) || !Number.isFinite(value) ? written : value;
}

function integerValue([, sign, hexadecimal, binary, octal, decimal]: RegExpExecArray): number {
  const amount =
    decimal !== undefined
      ? Number(decimal)
      : hexadecimal !== undefined
        ? parseInt(hexadecimal, 16)
        : binary !== undefined
          ? parseInt(binary, 2)
          : parseInt(octal, 8);
  return sign === '-' && amount !== 0 ? -amount : amount;
}
