import { FieldDifference, ObjectDifference } from './difference';
import { asRecord } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { byCodePoint } from '../order';

/** Objects that were added, removed or changed. If several objects have one identity, the last one counts. */
export function objectDifferences(
  before: readonly ManifestObject[],
  after: readonly ManifestObject[],
): ObjectDifference[] {
  const [oldObjects, newObjects] = [byIdentity(before), byIdentity(after)];
  return [...new Set([...oldObjects.keys(), ...newObjects.keys()])].sort(byCodePoint).flatMap((key) => {
    const [oldObject, newObject] = [oldObjects.get(key), newObjects.get(key)];
    const { apiVersion, kind, namespace = '', name } = (newObject ?? oldObject)!;
    const fields =
      oldObject && newObject ? fieldDifferences(withoutStatus(oldObject), withoutStatus(newObject), []) : [];
    if (oldObject && newObject && fields.length === 0) return [];
    return [
      { apiVersion, kind, namespace, name, change: !oldObject ? 'added' : !newObject ? 'removed' : 'changed', fields },
    ];
  });
}

/** The key has the API group without the version: every version of an API serves the same object. */
function byIdentity(objects: readonly ManifestObject[]): Map<string, ManifestObject> {
  return new Map(
    objects.map((object) => [
      [
        object.kind,
        object.namespace ?? '',
        object.name,
        object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '',
      ].join('\n'),
      object,
    ]),
  );
}

/** The status is written by controllers only. */
function withoutStatus({ raw }: ManifestObject): unknown {
  const { status: _, ...written } = raw;
  return written;
}

/** Mappings are compared by key, and lists of equal length item by item. Other values are compared as a whole. */
function fieldDifferences(before: unknown, after: unknown, path: ReadonlyArray<string | number>): FieldDifference[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length)
      return before.flatMap((item, i) => fieldDifferences(item, after[i], [...path, i]));
  } else {
    const [oldRecord, newRecord] = [asRecord(before), asRecord(after)];
    if (oldRecord && newRecord) {
      return [...new Set([...Object.keys(oldRecord), ...Object.keys(newRecord)])]
        .sort(byCodePoint)
        .flatMap((key) => fieldDifferences(oldRecord[key], newRecord[key], [...path, key]));
    }
  }
  return [{ path: pathText(path), before: before ?? null, after: after ?? null }];
}

function pathText(path: ReadonlyArray<string | number>): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${step}`),
    '',
  );
}
