/** The notation of a quantity: it is printed as it was written. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

export const NANOS_PER_UNIT = 1_000_000_000n;

const DECIMAL_SUFFIXES = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const LARGEST_DECIMAL_EXPONENT = 18;

/**
 * The canonical form: no fraction, and the largest suffix with an integer before it. BinarySI becomes DecimalSI below
 * 1024, and for fractions of a unit, because it would lose precision.
 *
 * @see https://github.com/kubernetes/apimachinery/blob/v0.36.1/pkg/api/resource/quantity.go CanonicalizeBytes
 */
export function formatQuantity(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) {
    return '0';
  }
  const whole = nanos % NANOS_PER_UNIT === 0n;
  const small = nanos > -1024n * NANOS_PER_UNIT && nanos < 1024n * NANOS_PER_UNIT;
  if (format === 'BinarySI' && whole && !small) {
    return formatBinary(nanos / NANOS_PER_UNIT);
  }
  return formatDecimal(nanos, format === 'DecimalExponent');
}

function formatBinary(units: bigint): string {
  let mantissa = units;
  let power = 0;
  while (power < BINARY_SUFFIXES.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${BINARY_SUFFIXES[power]}`;
}

function formatDecimal(nanos: bigint, asExponent: boolean): string {
  let mantissa = nanos;
  let exponent = -9;
  // Kubernetes drops the suffix beyond exa. Here it is kept, so that such sums stay readable.
  while ((asExponent || exponent < LARGEST_DECIMAL_EXPONENT) && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (asExponent) {
    return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  }
  return `${mantissa}${DECIMAL_SUFFIXES.get(exponent)}`;
}
