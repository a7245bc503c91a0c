import { asRecord } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { byCodePoint } from '../order';
import { FieldDifference, ObjectDifference } from './difference';

/** What is written otherwise; of several objects of one name the last counts. */
export function objectDifferences(before: readonly ManifestObject[], after: readonly ManifestObject[]): ObjectDifference[] {
  const [old, current] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...current.keys()])].sort(byCodePoint).flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)];
    const { apiVersion, kind, namespace = '', name } = (is ?? was)!;
    const fields = was && is ? fieldDifferences(withoutStatus(was), withoutStatus(is), []) : [];
    if (was && is && fields.length === 0) return [];
    return [{ apiVersion, kind, namespace, name, change: !was ? 'added' : !is ? 'removed' : 'changed', fields }];
  });
}

/** Versions of an API hold the same object. */
function byKey(objects: readonly ManifestObject[]): Map<string, ManifestObject> {
  return new Map(objects.map((object) => [
    [object.kind, object.namespace ?? '', object.name, object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : ''].join('\n'), object,
  ]));
}

/** Nobody writes that by hand. */
function withoutStatus({ raw }: ManifestObject): unknown {
  const { status: _, ...written } = raw;
  return written;
}

/** Lists of one length are compared item by item; others, and what is no mapping in both, as a whole. */
function fieldDifferences(before: unknown, after: unknown, path: ReadonlyArray<string | number>): FieldDifference[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length) return before.flatMap((item, at) => fieldDifferences(item, after[at], [...path, at]));
  } else {
    const [old, current] = [asRecord(before), asRecord(after)];
    if (old && current) {
      return [...new Set([...Object.keys(old), ...Object.keys(current)])].sort(byCodePoint)
        .flatMap((key) => fieldDifferences(old[key], current[key], [...path, key]));
    }
  }
  return [{ path: pathText(path), before: before ?? null, after: after ?? null }];
}

function pathText(path: ReadonlyArray<string | number>): string {
  return path.reduce<string>((text, step) => typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${step}`, '');
}
