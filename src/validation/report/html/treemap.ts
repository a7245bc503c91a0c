export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a rectangle into one rectangle for each weight, with areas in proportion to the weights and sides of similar
 * lengths.
 *
 * @param weights positive numbers, the largest first
 * @see https://vanwijk.win.tue.nl/stm.pdf Squarified treemaps, Bruls, Huizing and van Wijk
 */
export function squarified(weights: readonly number[], area: Rectangle): Rectangle[] {
  const result: Rectangle[] = [];
  let rest = area;
  let left = weights.reduce((sum, weight) => sum + weight, 0);
  for (let start = 0; start < weights.length && left > 0; ) {
    const scale = (rest.width * rest.height) / left;
    const side = Math.min(rest.width, rest.height);
    let [end, sum] = [start + 1, weights[start]];
    const ratio = (until: number, total: number) => worstRatio(weights, start, until, total, side, scale);
    while (end < weights.length && ratio(end + 1, sum + weights[end]) <= ratio(end, sum)) sum += weights[end++];
    const thickness = side === 0 ? 0 : (sum * scale) / side;
    result.push(...row(weights.slice(start, end), sum, rest, thickness));
    rest =
      rest.width >= rest.height
        ? { ...rest, x: rest.x + thickness, width: Math.max(0, rest.width - thickness) }
        : { ...rest, y: rest.y + thickness, height: Math.max(0, rest.height - thickness) };
    left -= sum;
    start = end;
  }
  return result;
}

/** The ratio of the sides of the most elongated rectangle of a row. */
function worstRatio(
  weights: readonly number[],
  start: number,
  end: number,
  sum: number,
  side: number,
  scale: number,
): number {
  const thickness = (sum * scale) / side;
  const [longest, shortest] = [weights[start], weights[end - 1]].map((weight) => (weight * scale) / thickness);
  return Math.max(longest / thickness, thickness / shortest);
}

/** Rectangles along the shorter side. */
function row(
  weights: readonly number[],
  sum: number,
  { x, y, width, height }: Rectangle,
  thickness: number,
): Rectangle[] {
  let offset = 0;
  return weights.map((weight) => {
    const length = ((width >= height ? height : width) * weight) / sum;
    const rectangle =
      width >= height
        ? { x, y: y + offset, width: thickness, height: length }
        : { x: x + offset, y, width: length, height: thickness };
    offset += length;
    return rectangle;
  });
}
