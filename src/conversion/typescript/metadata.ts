import { Cursor, flag, json, listOf, struct, text, textMap, Writer } from './cursor';
import { isObject } from './equality';
import { entry, object } from './expression';

const NAMED = {
  name: ['name', text],
  namespace: ['namespace', text],
  labels: ['labels', textMap],
  annotations: ['annotations', textMap],
  finalizers: ['finalizers', listOf(text)],
  ownerReferences: ['ownerReferences', listOf(struct({
    apiVersion: ['apiVersion', text],
    kind: ['kind', text],
    name: ['name', text],
    uid: ['uid', text],
    controller: ['controller', flag],
    blockOwnerDeletion: ['blockOwnerDeletion', flag],
  }, ['apiVersion', 'kind', 'name', 'uid']))],
} as const satisfies Record<string, readonly [string, Writer]>;

const named = struct(NAMED);

/** Metadata of any object. Fields that cdk8s does not name can have any value. */
export const metadata: Writer = (at) => {
  const fields = named(at);
  if (fields?.kind !== 'object' || !isObject(at.value)) return undefined;
  const other = Object.keys(at.value).filter((key) => !Object.hasOwn(NAMED, key)).map((key) => {
    const field: Cursor = at.at(key)!;
    return entry(key, json(field)!, field.path);
  });
  return object([...fields.entries, ...other]);
};
