/**
 * Writes TOML. The values of user data need few of its forms: strings, numbers, booleans, lists and tables.
 *
 * @see https://toml.io/en/v1.0.0
 */
import { isUnresolved } from './unresolved';

type Table = { readonly [key: string]: unknown };

/**
 * @param name of the method, for messages
 * @throws Error for a value without a form in TOML, such as null
 */
export function toToml(name: string, table: Table): string {
  return `${tableLines(name, [], table).join('\n').trim()}\n`;
}

/** Values come before tables, because a line after a header belongs to the header's table. */
function tableLines(name: string, path: readonly string[], table: Table): string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  const values = entries.filter(([, value]) => !isTable(value));
  const header = path.length > 0 && (values.length > 0 || entries.length === 0) ? ['', `[${path.join('.')}]`] : [];
  return [
    ...header,
    ...values.map(([key, value]) => `${keyText(key)} = ${valueText(`${name}.${key}`, value)}`),
    ...entries.flatMap(([key, value]) =>
      isTable(value) ? tableLines(`${name}.${key}`, [...path, keyText(key)], value) : [],
    ),
  ];
}

function valueText(name: string, value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value) && !isUnresolved(value)) return numberText(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(name, item)).join(', ')}]`;
  if (isTable(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{ ${entries.map(([key, item]) => `${keyText(key)} = ${valueText(`${name}.${key}`, item)}`).join(', ')} }`;
  }
  throw new Error(
    `${name}: must be a string, a number, a boolean, a list or a table, got ${value === null ? 'null' : String(value)}; remove it, or write the value`,
  );
}

/** Integers of TOML have 64 bits, so larger ones are written as floats. Exponents have the form of JavaScript. */
function numberText(value: number): string {
  const text = Object.is(value, -0) ? '0' : String(value);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

/** The escapes of JSON are those of TOML, except that TOML also escapes U+007F. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
