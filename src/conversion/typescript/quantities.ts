import { Cursor, made, mapOf, text, Writer } from './cursor';
import { isObject } from './equality';
import { call, entry, Expression, literal, object } from './expression';
import { parseGoDuration, Quantity, valueText } from '../../model';

const SIZE_UNITS: ReadonlyArray<readonly [string, string]> = [
  ['Gi', 'gibibytes'],
  ['Mi', 'mebibytes'],
  ['Ti', 'tebibytes'],
  ['Ki', 'kibibytes'],
];
const GIBIBYTE = 1024n ** 3n;

/** A duration such as `1h30m`. */
export const duration: Writer = ({ value }) => {
  const millis = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return millis === undefined || millis < 0 ? undefined : ofSeconds(millis / 1000);
};

/** A duration or `Never`, by a class with the static methods `after` and `never`. */
export function durationOrNever(className: string): Writer {
  return (cursor) =>
    cursor.value === 'Never' ? call(`nodes.${className}`, 'never') : made(className, 'after', duration)(cursor);
}

/** A number of seconds as a `Duration`. */
export const seconds: Writer = ({ value }) => (typeof value === 'number' && value >= 0 ? ofSeconds(value) : undefined);

function ofSeconds(amount: number): Expression {
  if (amount === 0 || amount % 60 !== 0) return call('Duration', 'seconds', literal(amount));
  return amount % 3600 === 0
    ? call('Duration', 'hours', literal(amount / 3600))
    : call('Duration', 'minutes', literal(amount / 60));
}

/** The size of a volume. The construct always writes it in Gi. */
export const volumeSize: Writer = (cursor) => {
  const bytes = Quantity.tryParse(cursor.value)?.value();
  const inGibibytes =
    bytes === undefined ? undefined : call('Size', 'gibibytes', literal(Number((bytes + GIBIBYTE - 1n) / GIBIBYTE)));
  return typeof cursor.value === 'string' && cursor.value.endsWith('Gi') ? (size(cursor) ?? inGibibytes) : inGibibytes;
};

/** A `Size` that the construct writes exactly as the manifest has it. */
const size: Writer = ({ value }) => {
  const [, amount, suffix] = /^([1-9][0-9]{0,9})(Ki|Mi|Gi|Ti)$/.exec(valueText(value)) ?? [];
  const unit = SIZE_UNITS.find(([abbreviation]) => abbreviation === suffix)?.[1];
  return unit === undefined || typeof value !== 'string' ? undefined : call('Size', unit, literal(Number(amount)));
};

/** A count, as a number or a numeric string. */
const count: Writer = ({ value }) => {
  const isCount =
    ['string', 'number'].includes(typeof value) && valueText(Number(value)) === valueText(value) && Number(value) >= 0;
  return isCount ? literal(Number(value)) : undefined;
};

/** Any quantity. The construct writes it as a string. */
export const quantity: Writer = (cursor) =>
  typeof cursor.value === 'number' ? literal(valueText(cursor.value)) : text(cursor);

export const quantities = mapOf(quantity);

const LIMIT_WRITERS: Readonly<Record<string, Writer>> = { cpu: count, memory: size, nodes: count };

/**
 * Limits. Those without a property, or with an amount that the property would write differently, are written under
 * `other`.
 *
 * @param properties limits that have a property
 */
export function limits(properties: readonly string[]): Writer {
  return (cursor) => {
    if (!isObject(cursor.value)) return undefined;
    const entries = properties.flatMap((key) => {
      const limit = cursor.at(key);
      const value = limit && LIMIT_WRITERS[key](limit);
      return value ? [entry(key, value, limit.path)] : [];
    });
    const rest = Object.keys(cursor.value).filter((key) => !entries.some((property) => property.key === key));
    const other = rest.flatMap((key) => {
      const limit = cursor.at(key)!;
      const value = quantity(limit);
      return value ? [entry(key, value, limit.path)] : [];
    });
    return object([...entries, ...(other.length > 0 ? [entry('other', object(other))] : [])]);
  };
}

/** A timestamp as a `Date`. The construct writes it in whole seconds. */
export const timestamp: Writer = ({ value }: Cursor) => {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? { kind: 'new', path: ['Date'], args: [literal(value)] }
    : undefined;
};
