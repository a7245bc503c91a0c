import { Cursor, mapOf, text, Writer } from './cursor';
import { isObject } from './equality';
import { call, entry, Expression, literal, object } from './expression';
import { parseGoDuration, Quantity } from '../../model';

const SIZE_UNITS: ReadonlyArray<readonly [string, string]> = [['Gi', 'gibibytes'], ['Mi', 'mebibytes'], ['Ti', 'tebibytes'], ['Ki', 'kibibytes']];
const GIBIBYTE = 1024n ** 3n;

/** A text such as `1h30m`; `Never` is said by a property of its own. */
export const duration: Writer = ({ value }) => {
  const millis = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return millis === undefined || millis < 0 ? undefined : ofSeconds(millis / 1000);
};

export const never: Writer = ({ value }) => value === 'Never' ? literal(true) : undefined;

/** A number of seconds. */
export const seconds: Writer = ({ value }) => typeof value === 'number' && value >= 0 ? ofSeconds(value) : undefined;

function ofSeconds(amount: number): Expression {
  if (amount === 0 || amount % 60 !== 0) return call('Duration', 'seconds', literal(amount));
  return amount % 3600 === 0 ? call('Duration', 'hours', literal(amount / 3600)) : call('Duration', 'minutes', literal(amount / 60));
}

/** The size of a volume, which the construct writes in Gi. */
export const volumeSize: Writer = (at) => {
  const bytes = Quantity.tryParse(at.value)?.value();
  const inGibibytes = bytes === undefined ? undefined : call('Size', 'gibibytes', literal(Number((bytes + GIBIBYTE - 1n) / GIBIBYTE)));
  return typeof at.value === 'string' && at.value.endsWith('Gi') ? size(at) ?? inGibibytes : inGibibytes;
};

/** A size that is written again as it was. */
const size: Writer = ({ value }) => {
  const [, amount, suffix] = /^([1-9][0-9]{0,9})(Ki|Mi|Gi|Ti)$/.exec(String(value)) ?? [];
  const unit = SIZE_UNITS.find(([abbreviation]) => abbreviation === suffix)?.[1];
  return unit === undefined || typeof value !== 'string' ? undefined : call('Size', unit, literal(Number(amount)));
};

/** An amount of something countable, as a number or a text. */
const count: Writer = ({ value }) => {
  const isCount = ['string', 'number'].includes(typeof value) && String(Number(value)) === String(value) && Number(value) >= 0;
  return isCount ? literal(Number(value)) : undefined;
};

/** Any quantity, which the construct writes as a text. */
export const quantity: Writer = (at) => typeof at.value === 'number' ? literal(String(at.value)) : text(at);

export const quantities = mapOf(quantity);

const NAMED_LIMITS: Readonly<Record<string, Writer>> = { cpu: count, memory: size, nodes: count };

/** Limits that have no property, or an amount that the property would write otherwise, are under `other`. */
export function limits(named: readonly string[]): Writer {
  return (at) => {
    if (!isObject(at.value)) return undefined;
    const known = named.flatMap((key) => {
      const cursor = at.at(key);
      const value = cursor && NAMED_LIMITS[key](cursor);
      return value ? [entry(key, value, cursor.path)] : [];
    });
    const rest = Object.keys(at.value).filter((key) => !known.some((one) => one.key === key));
    const other = rest.flatMap((key) => {
      const cursor = at.at(key)!;
      const value = quantity(cursor);
      return value ? [entry(key, value, cursor.path)] : [];
    });
    return object([...known, ...other.length > 0 ? [entry('other', object(other))] : []]);
  };
}

/** The seconds of a time, as a `Date`. */
export const timestamp: Writer = ({ value }: Cursor) => {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? { kind: 'new', path: ['Date'], args: [literal(value)] } : undefined;
};
