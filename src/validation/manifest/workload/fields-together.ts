import { checkJobFields, checkJobName, checkSchedule } from './batch-fields';
import { asRecord, FieldPath, removeField, setField, unsafeFix } from '../../../contract';
import { FieldReader } from '../field-reader';
import { WorkloadKind } from '../model';
import { PlainRecord } from '../records';

/** Kinds whose pods the controller starts again: an ended container has to be restarted. */
const ALWAYS_RUNNING: readonly WorkloadKind[] = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'];
const UPDATE: FieldPath = ['spec', 'strategy', 'rollingUpdate'];
const DAEMON_UPDATE: FieldPath = ['spec', 'updateStrategy', 'rollingUpdate'];
const DEADLINE_SECONDS = 600;

/**
 * Rejects fields of a workload that are right alone, and that the API server refuses together or for the kind.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/apps/validation/validation.go
 * @see https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/batch/validation/validation.go
 */
export function checkFieldsTogether(
  reader: FieldReader,
  kind: WorkloadKind,
  podPath: FieldPath,
  pod: PlainRecord,
): void {
  const spec = asRecord(reader.object.raw.spec) ?? {};
  checkRestartPolicy(reader, kind, [...podPath, 'restartPolicy'], pod.restartPolicy);
  if (kind === 'Deployment') {
    checkDeploymentUpdate(reader, rollingUpdateOf(spec.strategy));
    checkDeadline(reader, spec);
  }
  if (kind === 'DaemonSet') checkDaemonSetUpdate(reader, rollingUpdateOf(spec.updateStrategy));
  if (kind === 'Deployment') checkUpdateType(reader, ['spec', 'strategy'], spec.strategy, 'Recreate');
  if (kind === 'StatefulSet') checkUpdateType(reader, ['spec', 'updateStrategy'], spec.updateStrategy, 'OnDelete');
  if (kind === 'Job') checkJobFields(reader, ['spec'], spec);
  if (kind === 'CronJob') {
    checkSchedule(reader, spec);
    checkJobFields(reader, ['spec', 'jobTemplate', 'spec'], asRecord(asRecord(spec.jobTemplate)?.spec) ?? {});
  }
  if (kind === 'Job' || kind === 'CronJob') checkJobName(reader, kind);
}

/** `kubectl apply` of a new type leaves the settings of the old one. */
function checkUpdateType(reader: FieldReader, path: FieldPath, raw: unknown, other: string): void {
  const { type, rollingUpdate } = asRecord(raw) ?? {};
  if (type !== other || rollingUpdate === undefined || rollingUpdate === null) return;
  reader.reject(
    [...path, 'rollingUpdate'],
    `must be absent if type is ${other}`,
    rollingUpdate,
    'remove it',
    unsafeFix(removeField([...path, 'rollingUpdate'])),
  );
}

/** The API server judges these fields for the default type only. */
function rollingUpdateOf(strategy: unknown): PlainRecord {
  const { type = 'RollingUpdate', rollingUpdate } = asRecord(strategy) ?? {};
  return (type === 'RollingUpdate' ? asRecord(rollingUpdate) : undefined) ?? {};
}

function checkRestartPolicy(reader: FieldReader, kind: WorkloadKind, path: FieldPath, policy: unknown): void {
  if (ALWAYS_RUNNING.includes(kind) && (policy === 'Never' || policy === 'OnFailure'))
    reader.reject(
      path,
      `must be Always in a ${kind}`,
      policy,
      'write Always, or run the pods by a Job',
      unsafeFix(setField(path, 'Always')),
    );
  if ((kind === 'Job' || kind === 'CronJob') && policy === 'Always')
    reader.reject(
      path,
      `must be OnFailure or Never in a ${kind}`,
      policy,
      'write OnFailure, or Never to keep the failed pods',
      unsafeFix(setField(path, 'OnFailure')),
    );
}

/** With neither a pod more nor a pod less than `replicas`, no rollout could begin. */
function checkDeploymentUpdate(reader: FieldReader, { maxSurge, maxUnavailable }: PlainRecord): void {
  if (!isZero(maxSurge) || !isZero(maxUnavailable)) return;
  const path = [...UPDATE, 'maxSurge'];
  reader.reject(
    path,
    'must not be 0 beside maxUnavailable: 0, because no rollout could begin',
    maxSurge,
    'write maxSurge: 25%, the default, or at least 1',
    unsafeFix(setField(path, '25%')),
  );
}

/** A node has one pod of a DaemonSet: the old one goes first, or the new one comes first. */
function checkDaemonSetUpdate(reader: FieldReader, { maxSurge = 0, maxUnavailable = 1 }: PlainRecord): void {
  const path = [...DAEMON_UPDATE, 'maxUnavailable'];
  if (isZero(maxSurge) && isZero(maxUnavailable))
    reader.reject(
      path,
      'must not be 0 if maxSurge is 0, because no rollout could begin',
      maxUnavailable,
      'write maxUnavailable: 1, the default',
      unsafeFix(setField(path, 1)),
    );
  if (isAboveZero(maxSurge) && isAboveZero(maxUnavailable))
    reader.reject(
      path,
      'must be 0 if maxSurge is set',
      maxUnavailable,
      'write maxUnavailable: 0',
      unsafeFix(setField(path, 0)),
    );
}

function checkDeadline(reader: FieldReader, { minReadySeconds, progressDeadlineSeconds: deadline }: PlainRecord): void {
  if (typeof minReadySeconds !== 'number' || (deadline !== undefined && typeof deadline !== 'number')) return;
  if (minReadySeconds < (deadline ?? DEADLINE_SECONDS)) return;
  const path = ['spec', 'progressDeadlineSeconds'];
  reader.reject(
    path,
    `must be greater than minReadySeconds, which is ${minReadySeconds}`,
    deadline ?? DEADLINE_SECONDS,
    `write progressDeadlineSeconds: ${minReadySeconds + DEADLINE_SECONDS}, or a shorter minReadySeconds`,
    unsafeFix(setField(path, minReadySeconds + DEADLINE_SECONDS)),
  );
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0%';
}

function isAboveZero(value: unknown): boolean {
  return (typeof value === 'number' && value > 0) || (typeof value === 'string' && /^[1-9]\d*%$/.test(value));
}
