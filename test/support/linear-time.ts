/** Larger than any difference in linear time, because of caches and other processes; smaller than quadratic growth. */
const MAX_GROWTH = 4;
const SHORT = 20_000;
const LENGTHENED = 8;

/**
 * Whether the CPU time of a function grows in proportion to the size of its input. The shortest of three runs counts.
 *
 * @param run - takes the number of repetitions in its input
 */
export function isLinear(run: (size: number) => void): boolean {
  const perItem = (size: number) => Math.min(...[1, 2, 3].map(() => cpuMicroseconds(() => run(size)))) / size;
  const floor = 0.2;
  return perItem(SHORT * LENGTHENED) <= MAX_GROWTH * Math.max(floor, perItem(SHORT));
}

function cpuMicroseconds(action: () => void): number {
  const { user } = process.cpuUsage();
  action();
  return process.cpuUsage().user - user;
}
