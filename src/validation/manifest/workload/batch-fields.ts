import { asRecord, correctedSchedule, FieldPath, removeField, setField, unsafeFix } from '../../../contract';
import { CRON_MACROS, CronSchedule } from '../../../model';
import { FieldReader, isToken } from '../field-reader';
import { PlainRecord } from '../records';
import { timeZoneProblem } from './time-zones';

const LONGEST_JOB_NAME = 63;
/** The controller adds 11 characters to the name of each Job. */
const LONGEST_CRON_JOB_NAME = 52;
const TIME_ZONE = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/;

/**
 * Rejects fields of a Job that the API server refuses together.
 *
 * @param path - of the Job's spec
 * @see https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/batch/validation/validation.go
 */
export function checkJobFields(reader: FieldReader, path: FieldPath, spec: PlainRecord): void {
  const { completionMode, completions, parallelism, selector, manualSelector, backoffLimitPerIndex } = spec;
  if (completionMode === 'Indexed' && (completions === undefined || completions === null)) {
    const count = typeof parallelism === 'number' && parallelism > 0 ? parallelism : 1;
    reader.reject(
      [...path, 'completions'],
      'must be set if completionMode is Indexed',
      completions,
      `write the number of indexes, for example completions: ${count}`,
      unsafeFix(setField([...path, 'completions'], count)),
    );
  }
  if (completionMode !== 'Indexed' && typeof backoffLimitPerIndex === 'number')
    reader.reject(
      [...path, 'backoffLimitPerIndex'],
      'must be absent if completionMode is not Indexed',
      backoffLimitPerIndex,
      'write backoffLimit, or completionMode: Indexed with completions',
    );
  const labels = asRecord(asRecord(selector)?.matchLabels) ?? {};
  // The API server writes a selector into each Job, which `kubectl get` prints.
  const isGenerated = Object.keys(labels).some((label) => label.endsWith('controller-uid'));
  if (asRecord(selector) !== undefined && manualSelector !== true && !isGenerated)
    reader.reject(
      [...path, 'selector'],
      'must be absent, because the API server writes the selector of a Job itself',
      selector,
      'remove it',
      unsafeFix(removeField([...path, 'selector'])),
    );
}

/** The labels of pods have the name of their Job. */
export function checkJobName(reader: FieldReader, kind: 'Job' | 'CronJob'): void {
  const { name } = reader.object;
  const most = kind === 'Job' ? LONGEST_JOB_NAME : LONGEST_CRON_JOB_NAME;
  if (name.length <= most || isToken(name) || reader.object.raw.metadata?.name !== name) return;
  const reason = kind === 'CronJob' ? ', because the names of its Jobs are longer' : '';
  reader.reject(['metadata', 'name'], `must have at most ${most} characters${reason}`, name, 'write a shorter name');
}

/** The API server parses schedules with the library that Karpenter uses. */
export function checkSchedule(reader: FieldReader, { schedule, timeZone }: PlainRecord): void {
  const path = ['spec', 'schedule'];
  const problem = timeZoneProblem(['spec', 'timeZone'], timeZone, '');
  if (problem) reader.add(problem);
  if (typeof schedule !== 'string' || isToken(schedule)) return;
  const [, zone, times] = TIME_ZONE.exec(schedule) ?? [];
  if (zone !== undefined) {
    reader.reject(
      path,
      'must not have a time zone, which has a field of its own',
      schedule,
      `write schedule: "${times}" and timeZone: ${zone}`,
    );
    return;
  }
  if (CronSchedule.tryParse(schedule) !== undefined || /^@every\s/.test(schedule)) return;
  const meant = correctedSchedule(schedule) ?? withoutSeconds(schedule);
  reader.reject(
    path,
    'must be a cron schedule of five fields',
    schedule,
    meant === undefined ? `write for example "0 3 * * *", or one of ${CRON_MACROS.join(', ')}` : `write "${meant}"`,
    meant === undefined ? undefined : unsafeFix(setField(path, meant)),
  );
}

/** Other programs have a field of seconds before the minutes. */
function withoutSeconds(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  const rest = fields.slice(1).join(' ').replaceAll('?', '*');
  return fields.length === 6 && CronSchedule.tryParse(rest) !== undefined ? rest : undefined;
}
