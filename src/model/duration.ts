const NANOS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const DURATION = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const MAX_LENGTH = 100;

/**
 * The milliseconds of a duration in Go's notation (`720h`, `1h30m`, `1.5s`). Undefined for any other text, `Never`
 * included, and beyond Go's limit of 292 years.
 *
 * @see https://pkg.go.dev/time#ParseDuration
 */
export function parseGoDuration(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DURATION.test(text)) {
    return undefined;
  }
  let nanos = 0n;
  for (const [, whole, fraction, unit] of text.matchAll(PART)) {
    const scale = NANOS.get(unit) ?? 0n;
    nanos += BigInt(whole || '0') * scale + (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  const signed = text.startsWith('-') ? -nanos : nanos;
  return signed === BigInt.asIntN(64, signed) ? Number(signed) / 1e6 : undefined;
}

/** A duration in Go's notation without zero parts: 5400 seconds are `1h30m`, 90 are `1m30s`, and 0 are `0s`. */
export function formatGoDuration(seconds: number): string {
  const parts = [
    { amount: Math.floor(seconds / 3600), unit: 'h' },
    { amount: Math.floor(seconds / 60) % 60, unit: 'm' },
    { amount: seconds % 60, unit: 's' },
  ];
  return (
    parts
      .filter(({ amount }) => amount !== 0)
      .map(({ amount, unit }) => `${amount}${unit}`)
      .join('') || '0s'
  );
}
