import { parseGoDuration, Quantity } from '../../model';

type Check = (text: string) => boolean;

const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;

/** A day that the calendar has. */
function isDate(text: string): boolean {
  const date = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** As k8s.io/kube-openapi reads it: a date, `t`, and a time of day with its zone. Leap seconds are invalid. */
function isDateTime(text: string): boolean {
  const [day, clock = ''] = text.toLowerCase().split('t');
  const [, hours, minutes, seconds] = CLOCK.exec(clock) ?? [];
  return hours !== undefined && isDate(day) && hours <= '23' && minutes <= '59' && seconds <= '59';
}

/**
 * The formats of texts that the API server looks at, as far as CRDs of a cluster's add-ons have them; it passes over
 * all others, as is done here with the rarer of its own.
 */
const FORMATS: Readonly<Record<string, Check>> = {
  datetime: isDateTime,
  date: isDate,
  duration: (text) => parseGoDuration(text.replace(/\s+/g, '')) !== undefined,
  byte: (text) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  ipv4: (text) => IPV4.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text),
  // Of the kubelet's configuration, whose schema is made of Go types.
  goduration: (text) => parseGoDuration(text) !== undefined,
  goquantity: (text) => Quantity.tryParse(text) !== undefined,
};

/** Whether a text has a format; always, if the format is one that nobody looks at. */
export function matchesFormat(text: string, format: string | undefined): boolean {
  const name = normalized(format);
  return name === undefined || FORMATS[name](text);
}

matchesFormat.isKnown = (format: string | undefined): boolean => normalized(format) !== undefined;

function normalized(format: string | undefined): string | undefined {
  const name = format?.replaceAll('-', '');
  return name !== undefined && Object.hasOwn(FORMATS, name) ? name : undefined;
}
