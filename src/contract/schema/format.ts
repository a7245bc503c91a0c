import { parseGoDuration, Quantity } from '../../model';

type Check = (text: string) => boolean;

const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

/**
 * The formats of texts that the API server looks at, as far as CRDs of a cluster's add-ons have them; it passes over all others,
 * as is done here with the rarer of its own.
 */
const FORMATS: Readonly<Record<string, Check>> = {
  datetime: (text) => /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2})?(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})?$/.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T'))),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
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
