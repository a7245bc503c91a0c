import { Cursor, flag, json, listOf, struct, text, textMap, Writer } from './cursor';
import { isObject } from './equality';
import { entry, object } from './expression';

const PROPERTIES = {
  name: ['name', text],
  namespace: ['namespace', text],
  labels: ['labels', textMap],
  annotations: ['annotations', textMap],
  finalizers: ['finalizers', listOf(text)],
  ownerReferences: [
    'ownerReferences',
    listOf(
      struct(
        {
          apiVersion: ['apiVersion', text],
          kind: ['kind', text],
          name: ['name', text],
          uid: ['uid', text],
          controller: ['controller', flag],
          blockOwnerDeletion: ['blockOwnerDeletion', flag],
        },
        ['apiVersion', 'kind', 'name', 'uid'],
      ),
    ),
  ],
} as const satisfies Record<string, readonly [string, Writer]>;

const properties = struct(PROPERTIES);

/** Metadata of any object. Fields without a property in cdk8s can have any value. */
export const metadata: Writer = (cursor) => {
  const fields = properties(cursor);
  if (fields?.kind !== 'object' || !isObject(cursor.value)) return undefined;
  const other = Object.keys(cursor.value)
    .filter((key) => !Object.hasOwn(PROPERTIES, key))
    .map((key) => {
      const field: Cursor = cursor.at(key)!;
      return entry(key, json(field)!, field.path);
    });
  return object([...fields.entries, ...other]);
};
