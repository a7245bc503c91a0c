import { parseAllDocuments } from 'yaml';
import { asRecord } from '../contract';
import { upgrade } from './upgrade';

type PlainObject = Readonly<Record<string, unknown>>;

/**
 * Converts Karpenter objects of any API version to v1, in memory.
 *
 * @param objects all of Karpenter's objects, because kubelet settings move from pools to their classes
 * @returns for each object, the v1 objects that replace it
 */
export function v1ObjectsOf(objects: readonly PlainObject[]): ReadonlyArray<readonly PlainObject[]> {
  // JSON is YAML, too.
  const files = objects.map((object, index) => ({ path: `${index}.yaml`, text: JSON.stringify(object) }));
  return upgrade(files).files.map(({ text }) =>
    parseAllDocuments(text, { logLevel: 'error' }).flatMap((document) => {
      const object = asRecord(document.toJS());
      return object === undefined ? [] : [object];
    }),
  );
}
