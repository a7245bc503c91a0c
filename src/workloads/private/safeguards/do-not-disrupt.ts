import { DO_NOT_DISRUPT } from '../../../contract';
import { formatGoDuration } from '../../../model';
import { Settings } from '../settings';
import { child, Subject } from '../subject';

/** A pod of a Job ends by itself, and with a deadline at a known time: its protection need not outlive it. */
export function batchProtection({ kind, spec, pod, template }: Subject, { given }: Settings): undefined {
  const job = kind === 'CronJob' ? spec.jobTemplate?.spec : spec;
  const deadlines = [job?.activeDeadlineSeconds, pod.activeDeadlineSeconds].filter((seconds) => Number.isSafeInteger(seconds) && seconds > 0);
  const value = given.doNotDisrupt?.value ?? (deadlines.length > 0 ? formatGoDuration(Math.min(...deadlines)) : 'true');
  child(child(template, 'metadata'), 'annotations')[DO_NOT_DISRUPT] ??= value;
}
