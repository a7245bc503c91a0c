import { FieldReader } from './field-reader';
import { readLabelSelector } from './label-selector';
import { FieldPath, ManifestObject, PdbManifest } from './model';
import { ProblemLog } from './problem-log';

const PERCENTAGE = /^\d{1,9}%$/;

/** Undefined where the API server would refuse it, or where a token stands. */
export function readPdb(object: ManifestObject, log: ProblemLog): PdbManifest | undefined {
  const reader = new FieldReader(object, log);
  const spec = reader.record(['spec'], object.raw.spec) ?? {};
  const selector = readLabelSelector(reader, ['spec', 'selector'], spec.selector);
  const minAvailable = readAmount(reader, ['spec', 'minAvailable'], spec.minAvailable);
  const maxUnavailable = readAmount(reader, ['spec', 'maxUnavailable'], spec.maxUnavailable);
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    reader.reject(['spec'], 'must not hold both minAvailable and maxUnavailable', spec, 'remove one of them');
  }
  if (reader.broken || reader.tokens.length > 0) return undefined;
  return { object, namespace: object.namespace ?? 'default', name: object.name, selector, minAvailable, maxUnavailable };
}

function readAmount(reader: FieldReader, path: FieldPath, value: unknown): string | number | undefined {
  return typeof value === 'string' && PERCENTAGE.test(value) ? value : readCount(reader, path, value);
}

function readCount(reader: FieldReader, path: FieldPath, value: unknown): number | undefined {
  if (typeof value !== 'string') return reader.count(path, value);
  return reader.text(path, value) === undefined ? undefined : reader.reject(path, 'must be an integer or a percentage', value, 'write for example 1 or "50%"');
}
