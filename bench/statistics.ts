/** Times in milliseconds. */
export interface Timing {
  /** The first run, before V8 optimised anything. */
  readonly first: number;
  readonly median: number;
  readonly min: number;
  /** Interquartile range. */
  readonly iqr: number;
  readonly rounds: number;
}

/** Runs once cold, then `rounds` times. */
export function time(rounds: number, run: () => void): Timing {
  return timingOf(
    Array.from({ length: rounds + 1 }, () => {
      const start = performance.now();
      run();
      return performance.now() - start;
    }),
  );
}

/** Statistics of measured milliseconds, the cold run first. */
export function timingOf([first, ...rest]: readonly number[]): Timing {
  const sorted = rest.sort((left, right) => left - right);
  return {
    first: rounded(first),
    median: rounded(quantile(sorted, 0.5)),
    min: rounded(sorted[0]),
    iqr: rounded(quantile(sorted, 0.75) - quantile(sorted, 0.25)),
    rounds: rest.length,
  };
}

/** Quantile with linear interpolation between neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
