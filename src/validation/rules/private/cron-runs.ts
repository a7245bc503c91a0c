import { CronSchedule } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

/** Five weeks: what runs once a month does so at least once. */
const START = Date.UTC(2024, 0, 1);
const END = Date.UTC(2024, 1, 5);
const DAYS = (END - START) / 86_400_000;

/** When a CronJob runs, in milliseconds. */
export interface CronRuns {
  readonly longestGap: number;
  readonly shortestGap: number;
  readonly perDay: number;
}

/** Undefined where it is suspended, does not run every month, or nothing can be told. */
export const cronRunsOf = oncePer(({ kind, object }: WorkloadManifest): CronRuns | undefined => {
  const { schedule, suspend } = object.raw?.spec ?? {};
  if (kind !== 'CronJob' || typeof schedule !== 'string' || suspend === true) return undefined;
  const times = CronSchedule.tryParse(schedule)?.firings(START, END) ?? [];
  if (times.length === 0) return undefined;
  let [longestGap, shortestGap] = [0, Infinity];
  times.forEach((time, i) => {
    const gap = (times[i + 1] ?? times[0] + END - START) - time;
    longestGap = Math.max(longestGap, gap);
    shortestGap = Math.min(shortestGap, gap);
  });
  return { longestGap, shortestGap, perDay: times.length / DAYS };
});
