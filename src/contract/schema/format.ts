import { parseGoDuration, Quantity } from '../../model';

type Check = (text: string) => boolean;

const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;

/** Whether the date exists in the calendar. */
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
 * The string formats that are checked: those that the API server checks and that CRDs of cluster add-ons use. The API
 * server ignores all other formats. The rare formats that only the API server checks are ignored here.
 */
const FORMATS: Readonly<Record<string, Check>> = {
  datetime: isDateTime,
  date: isDate,
  duration: (text) => parseGoDuration(text.replace(/\s+/g, '')) !== undefined,
  byte: (text) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  ipv4: (text) => IPV4.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text),
  // From the schema of the kubelet's configuration, which is generated from Go types.
  goduration: (text) => parseGoDuration(text) !== undefined,
  goquantity: (text) => Quantity.tryParse(text) !== undefined,
};

/** Whether a string has a format. Always true for a format that is not checked. */
export function matchesFormat(text: string, format: string | undefined): boolean {
  const name = normalized(format);
  return name === undefined || FORMATS[name](text);
}

matchesFormat.isKnown = (format: string | undefined): boolean => normalized(format) !== undefined;

function normalized(format: string | undefined): string | undefined {
  const name = format?.replaceAll('-', '');
  return name !== undefined && Object.hasOwn(FORMATS, name) ? name : undefined;
}
