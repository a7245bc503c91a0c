import { asRecord, misread, setField, unsafeFix } from '../../../contract';
import { countText, Quantity, QuantityError } from '../../../model';
import { FieldReader, isToken } from '../field-reader';
import { FieldPath, ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';
import { recordsOf } from '../records';
import { nullKeysOf } from '../yaml/mapping-value';

/** Left by a program that renders the manifest. */
const PLACEHOLDER = /\$\{|\{\{/;
const STORAGE: FieldPath = ['resources', 'requests', 'storage'];
const REMEDY = 'write a size, for example 10Gi';

/** Rejects a StatefulSet whose claims the API server would refuse: then the controller makes no pod. */
export function checkClaimTemplates(reader: FieldReader, object: ManifestObject): void {
  recordsOf(object.raw.spec?.volumeClaimTemplates).forEach((template, index) =>
    checkClaimSize(reader, ['spec', 'volumeClaimTemplates', index, 'spec'], template.spec),
  );
}

/** Reports PersistentVolumeClaims that the API server would refuse. Returns them as `namespace/name`. */
export function refusedClaims(objects: readonly ManifestObject[], log: ProblemLog): ReadonlySet<string> {
  return new Set(
    objects
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'PersistentVolumeClaim')
      .flatMap((object) => {
        const reader = new FieldReader(object, log);
        checkClaimSize(reader, ['spec'], object.raw.spec);
        return reader.invalid ? [`${object.namespace ?? 'default'}/${object.name}`] : [];
      }),
  );
}

/**
 * A claim has to request more than 0 of storage. Null is 0 for the API server.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go
 */
function checkClaimSize(reader: FieldReader, path: FieldPath, raw: unknown): void {
  const resources = asRecord(raw)?.resources;
  const written = asRecord(resources)?.requests;
  const requests = asRecord(written) ?? {};
  const { storage } = requests;
  // A text in place of a mapping is rendered before it reaches the API server, or is refused with another message.
  if (
    [raw, resources, written].some((value) => typeof value === 'string') ||
    isToken(storage) ||
    (typeof storage === 'string' && PLACEHOLDER.test(storage))
  )
    return;
  if (nullKeysOf(requests).includes('storage')) {
    reader.reject(
      [...path, ...STORAGE],
      'must be greater than 0, and the API server reads null as 0, so it refuses the claim',
      null,
      REMEDY,
    );
    return;
  }
  if (storage === undefined) {
    reader.reject(
      [...path, ...STORAGE],
      'must be set: the API server refuses the claim with "spec.resources[storage]: Required value"',
      undefined,
      REMEDY,
    );
    return;
  }
  if (!isPositive(storage))
    reader.reject(
      [...path, ...STORAGE],
      'must be a quantity greater than 0, or the API server refuses the claim',
      storage,
      REMEDY,
    );
  else warnAboutFewBytes(reader, [...path, ...STORAGE], storage);
}

/** EBS makes no volume below 1 GiB, so that a unit was forgotten. */
function warnAboutFewBytes(reader: FieldReader, path: FieldPath, storage: unknown): void {
  if (!/^[1-9]\d{0,5}$/.test(String(storage))) return;
  const problem = `is ${countText(Number(storage), 'byte')}, because it has no unit: the smallest volume is made`;
  reader.add(misread(path, problem, storage, `write ${storage}Gi`, unsafeFix(setField(path, `${storage}Gi`))));
}

function isPositive(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  try {
    return Quantity.parse(value).nanos > 0n;
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return false;
  }
}
