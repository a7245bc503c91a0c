import { CollectedValues } from './chart-release';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord, stringOrUndefined } from '../../../records';

/** Objects that are deployed together, each with its file. */
export type Deployed = ReadonlyArray<{ readonly source: SourceFile; readonly object: PlainRecord }>;

/** Adds the values of a ConfigMap or Secret that `valuesFrom` of a HelmRelease names. */
export function addReferredValues(
  collected: CollectedValues,
  { kind, name, valuesKey, targetPath, optional }: PlainRecord,
  namespace: unknown,
  near: readonly Deployed[],
): void {
  const object = foundObject(near, (candidate) => candidate.kind === kind, { name, namespace });
  const text = object && object.sops === undefined ? dataOf(object, valueText(valuesKey ?? 'values.yaml')) : undefined;
  const shown = `${valueText(kind)} ${valueText(name)}`;
  if (text === undefined) {
    if (optional !== true) collected.missing.push(shown);
  } else if (targetPath === undefined) collected.addText(text, shown);
  else if (/^[\w-]+(\.[\w-]+)*$/.test(valueText(targetPath)))
    collected.addObject(nested(valueText(targetPath).split('.'), scalar(text)), shown);
  else collected.missing.push(shown);
}

function dataOf({ kind, data, stringData }: PlainRecord, key: string): string | undefined {
  const text = stringOrUndefined(asRecord(stringData)?.[key]) ?? stringOrUndefined(asRecord(data)?.[key]);
  return kind === 'Secret' && text !== undefined && asRecord(stringData)?.[key] === undefined
    ? Buffer.from(text, 'base64').toString('utf8')
    : text;
}

function nested([key, ...others]: readonly string[], value: unknown): unknown {
  return { [key]: others.length === 0 ? value : nested(others, value) };
}

/** Flux reads a value as `helm --set` does. */
function scalar(text: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d{0,14}))$/.test(text) ? JSON.parse(text) : text;
}

/** The object of that name in the nearest place that has one. Two different ones are none. */
export function foundObject(
  places: readonly Deployed[],
  isOfKind: (object: PlainRecord) => boolean,
  { name, namespace }: { readonly name: unknown; readonly namespace: unknown },
): PlainRecord | undefined {
  for (const objects of places) {
    const own = objects.filter(({ object }) => {
      const metadata = asRecord(object.metadata) ?? {};
      const isNear = namespace === undefined || metadata.namespace === undefined || metadata.namespace === namespace;
      return isOfKind(object) && metadata.name === name && isNear;
    });
    const different = new Map(own.map(({ object }) => [JSON.stringify(object), object]));
    if (different.size > 0) return different.size === 1 ? [...different.values()][0] : undefined;
  }
  return undefined;
}
