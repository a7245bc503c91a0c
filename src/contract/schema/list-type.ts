import { FieldPath } from '../field-problem';
import { asRecord } from '../value-rule';
import { Schema } from './schema';
import { refusal, schemaPath, Violation } from './violation';

/** Lists that are sets, or maps by a key of their items: what stands in them twice. */
export function checkListType(path: FieldPath, value: readonly unknown[], schema: Schema): Violation[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  switch (schema['x-kubernetes-list-type']) {
    case 'set': return repeated(path, value.map((item) => ({ item, got: item })));
    case 'map': return repeated(path, value.map((item) => {
      const record = asRecord(item) ?? {};
      const key = Object.fromEntries(keys.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]));
      return { item: key, got: key };
    }));
    default: return [];
  }
}

/** The second of two equal ones is reported, and further ones are not. */
function repeated(path: FieldPath, entries: ReadonlyArray<{ item: unknown; got: unknown }>): Violation[] {
  const counts = new Map<string, number>();
  return entries.flatMap(({ item, got }, i) => {
    const id = JSON.stringify(item);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count !== 2) return [];
    const at = [...path, i];
    return [refusal('list-type', at, 'must not repeat another item', got, 'remove one of them', `${schemaPath(at)}: Duplicate value: ${JSON.stringify(got)}`)];
  });
}
