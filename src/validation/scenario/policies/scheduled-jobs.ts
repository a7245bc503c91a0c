import { KnownWorkload, specOf } from './day-workloads';
import { asRecord } from '../../../contract';
import { ScheduledJob } from '../../../disruption';
import { CronSchedule } from '../../../model';
import { PlainRecord, scalarText } from '../../manifest/records';
import { isTimeZone, zoneOffset } from '../time-zone';

const SECOND = 1_000;
const MINUTE = 60_000;
/** Seconds that the pods of a Job run if nothing else is known. */
export const DEFAULT_JOB_DURATION = 600;

/** How long the pods of Jobs run, in seconds. */
export interface JobDurations {
  /** @default DEFAULT_JOB_DURATION */
  readonly all?: number;
  /** By name, or by namespace and name. */
  readonly byName: ReadonlyMap<string, number>;
}

interface Period {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly seconds: number;
}

/** A Job that is simulated, or why it is not. */
export type JobOfDay = ScheduledJob | string;

/** The runs of a Job or CronJob in a period. A Job begins with the period. */
export function jobOfDay(workload: KnownWorkload, period: Period, durations: JobDurations): JobOfDay {
  const { key, kind, namespace, name, object, pod } = workload;
  const spec = specOf(object);
  const jobSpec = kind === 'CronJob' ? (asRecord(asRecord(spec.jobTemplate)?.spec) ?? {}) : spec;
  const starts = kind === 'CronJob' ? startsOf(spec, period) : spec.suspend === true ? 'is suspended' : [0];
  if (typeof starts === 'string') return `${kind} ${namespace}/${name} does not run: it ${starts}`;
  const parallelism = countOf(jobSpec.parallelism, 1);
  const given = durations.byName.get(`${namespace}/${name}`) ?? durations.byName.get(name) ?? durations.all;
  const deadline = countOf(jobSpec.activeDeadlineSeconds, Infinity);
  const concurrency = scalarText(spec.concurrencyPolicy ?? 'Allow');
  return {
    key,
    pod: { ...pod, runSeconds: Math.min(given ?? DEFAULT_JOB_DURATION, deadline) },
    starts,
    parallelism,
    completions: countOf(jobSpec.completions, parallelism),
    concurrency: concurrency === 'Forbid' || concurrency === 'Replace' ? concurrency : 'Allow',
  };
}

/** The seconds of a period at which a CronJob starts, or why it never does. */
function startsOf({ schedule, suspend, timeZone }: PlainRecord, { start, seconds }: Period): number[] | string {
  if (suspend === true) return 'is suspended';
  const zone = timeZone === undefined || timeZone === null ? 'UTC' : scalarText(timeZone);
  if (!isTimeZone(zone)) return `has the unknown time zone ${JSON.stringify(zone)}`;
  const cron = typeof schedule === 'string' ? CronSchedule.tryParse(schedule) : undefined;
  if (!cron) return 'has no schedule that can be read';
  const shift = zoneOffset(zone, start) * MINUTE;
  const firings = cron.firings(start + shift, start + shift + seconds * SECOND);
  return firings.length === 0 ? 'has no run in this time' : firings.map((at) => (at - shift - start) / SECOND);
}

function countOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : fallback;
}
