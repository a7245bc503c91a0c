import { readLabelSelector } from './label-selector';
import { setField, unsafeFix } from '../../../contract';
import { FieldReader } from '../field-reader';
import { FieldPath, ManifestObject, PdbManifest } from '../model';
import { ProblemLog } from '../problem-log';

const PERCENTAGE = /^\d{1,9}%$/;
const POLICIES = ['IfHealthyBudget', 'AlwaysAllow'];

/** Undefined if the API server would reject the object, or if it holds a token. */
export function readPdb(object: ManifestObject, log: ProblemLog): PdbManifest | undefined {
  const reader = new FieldReader(object, log);
  const spec = reader.record(['spec'], object.raw.spec) ?? {};
  const selector = readLabelSelector(reader, ['spec', 'selector'], spec.selector);
  const minAvailable = readAmount(reader, ['spec', 'minAvailable'], spec.minAvailable);
  const maxUnavailable = readAmount(reader, ['spec', 'maxUnavailable'], spec.maxUnavailable);
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    reader.reject(
      ['spec', 'minAvailable'],
      'must not be set beside maxUnavailable',
      spec.minAvailable,
      'remove it: maxUnavailable also holds if the number of pods changes',
    );
  }
  checkPolicy(reader, ['spec', 'unhealthyPodEvictionPolicy'], spec.unhealthyPodEvictionPolicy);
  if (reader.invalid || reader.tokens.length > 0) return undefined;
  return {
    object,
    namespace: object.namespace ?? 'default',
    name: object.name,
    selector,
    minAvailable,
    maxUnavailable,
  };
}

function readAmount(reader: FieldReader, path: FieldPath, value: unknown): string | number | undefined {
  if (typeof value !== 'string' || !PERCENTAGE.test(value)) return readCount(reader, path, value);
  return parseInt(value, 10) <= 100
    ? value
    : reader.reject(path, 'must be at most 100%', value, 'write a percentage of the pods, such as 50%');
}

function readCount(reader: FieldReader, path: FieldPath, value: unknown): number | undefined {
  const isShare = typeof value === 'number' && value > 0 && value < 1;
  if (typeof value !== 'string' && !isShare) return reader.count(path, value);
  if (!isShare && reader.string(path, value) === undefined) return undefined;
  const meant = isShare ? `${Math.round(value * 100)}%` : typeof value === 'string' ? countIn(value) : undefined;
  return reader.reject(
    path,
    'must be an integer or a percentage',
    value,
    meant === undefined ? 'write for example 1 or "50%"' : `write ${JSON.stringify(meant)}`,
    meant === undefined ? undefined : unsafeFix(setField(path, meant)),
  );
}

/** The number in `"2"`. The API server takes a text only for a percentage. */
function countIn(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Ignores a placeholder: it must not prevent the rest of the budget from being judged. */
function checkPolicy(reader: FieldReader, path: FieldPath, value: unknown): void {
  if (typeof value !== 'string' || /^\w*$/.test(value)) reader.oneOf(path, value, POLICIES);
}
