/**
 * A number with separators of thousands: `13,076`, `0.5`. For numbers that people read, never for ids, ports, versions
 * or fields that a program reads. @param decimals at most so many; zeros at the end are left out
 */
export function numberText(value: number | bigint, decimals = 3): string {
  return withSeparators(typeof value === 'bigint' ? String(value) : trimmed(value, decimals));
}

/** A number with exactly so many decimals, and separators of thousands: `1,402.50`. */
export function fixedText(value: number, decimals: number): string {
  return withSeparators(value.toFixed(decimals));
}

/**
 * A number and its noun: `1 pod`, `2 pods`, `1,391 instance types`. A verb can follow the noun in both forms:
 * `countText(pods, 'pod is', 'pods are')`.
 */
export function countText(count: number | bigint, singular: string, plural: string = `${singular}s`): string {
  return `${numberText(count)} ${Number(count) === 1 ? singular : plural}`;
}

/** A share of 1 as `4%`. A share near 0 or 1 is not rounded to it: `<1%`, `99%`. */
export function percentText(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share > 0) return '<1%';
  return rounded === 100 && share < 1 ? '99%' : `${numberText(rounded)}%`;
}

/** Zeros after the decimal point say nothing, except in columns and prices. */
function trimmed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

function withSeparators(digits: string): string {
  const [whole, ...fraction] = digits.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}
