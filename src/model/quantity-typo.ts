const SUFFIXES = ['n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const VALID = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;
const UNIT_WORDS = new Map([
  ['cpu', ''],
  ['cpus', ''],
  ['core', ''],
  ['cores', ''],
  ['vcpu', ''],
  ['vcpus', ''],
  ['millicores', 'm'],
  ['millicore', 'm'],
  ['b', ''],
  ['bytes', ''],
  ['byte', ''],
]);

/** The remedy for an invalid quantity: the likely intent if there is one, otherwise the grammar. */
export function suggestQuantity(text: string): string {
  const candidates = likelyQuantities(text);
  if (candidates.length > 0) {
    return `write ${candidates.join(' or ')}`;
  }
  return `write a number with one of the suffixes ${SUFFIXES.join(' ')}, as in 500m or 2Gi`;
}

/** The quantities that an invalid one may have been meant to be; empty if it resembles none. */
export function likelyQuantities(text: string): string[] {
  const number = fixDigits(text);
  return (VALID.test(number) ? [number] : fixUnit(number)).filter((candidate) => VALID.test(candidate));
}

/** Corrects letters that look like digits, a decimal comma, digit separators and inner blanks. */
function fixDigits(text: string): string {
  const compact = text.replace(/[\s_]/g, '');
  const number = /^[+-]?[\dOoIl.,]+(?=\D*$)/.exec(compact)?.[0] ?? '';
  const digits = number
    .replace(/[Oo]/g, '0')
    .replace(/[Il]/g, '1')
    .replace(/,(?=\d{1,2}$)/, '.')
    .replace(/,/g, '');
  return digits + compact.slice(number.length);
}

function fixUnit(text: string): string[] {
  const parts = /^([+-]?[\d.]+)([A-Za-z]+)$/.exec(text);
  if (!parts) {
    return [];
  }
  const [, number, unit] = parts;
  const word = UNIT_WORDS.get(unit.toLowerCase());
  if (word !== undefined) {
    return [number + word];
  }
  const stem = unit.replace(/(?:b|bytes?)$/i, '');
  if (stem.length === 2 && stem.toLowerCase().endsWith('i')) {
    return [`${number}${stem[0].toUpperCase()}i`];
  }
  return stem.length === 1 ? magnitudes(stem).map((suffix) => number + suffix) : [];
}

/** `5GB` may mean 5G or 5Gi. Both are offered, because they differ by 7%. */
function magnitudes(letter: string): string[] {
  const upper = letter.toUpperCase();
  return 'KMGTPE'.includes(upper) ? [upper === 'K' ? 'k' : upper, `${upper}i`] : [];
}
