/** Times in milliseconds. */
export interface Timing {
  /** Before anything is warm. */
  readonly first: number;
  readonly median: number;
  readonly min: number;
  /** Distance of the quartiles. */
  readonly iqr: number;
  readonly rounds: number;
}

/** Runs once cold, then `rounds` times. */
export function time(rounds: number, run: () => void): Timing {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    run();
    samples.push(performance.now() - start);
  }
  const [first, ...rest] = samples;
  const sorted = rest.sort((left, right) => left - right);
  return {
    first: rounded(first),
    median: rounded(quantile(sorted, 0.5)),
    min: rounded(sorted[0]),
    iqr: rounded(quantile(sorted, 0.75) - quantile(sorted, 0.25)),
    rounds,
  };
}

/** Between its neighbours, linearly. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
