/**
 * Whole numbers that add up to the rounded sum of the amounts, each less than one away from its amount. The largest
 * fractions are rounded up; of equal ones the first.
 *
 * @param amounts not negative
 * @param total @default - the rounded sum
 */
export function roundedParts(amounts: readonly number[], total?: number): number[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const wanted = total ?? Math.round(sum);
  // With a given total, the parts are scaled to it first.
  const scaled = sum > 0 ? amounts.map((amount) => (amount * wanted) / sum) : [...amounts];
  const parts = scaled.map(Math.floor);
  const left = wanted - parts.reduce((all, part) => all + part, 0);
  const byFraction = scaled
    .map((amount, index) => ({ index, fraction: amount - parts[index] }))
    .sort((a, b) => b.fraction - a.fraction || a.index - b.index);
  for (const { index } of byFraction.slice(0, Math.max(0, left))) parts[index]++;
  return parts;
}
