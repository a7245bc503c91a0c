import { editedValue } from './edited-value';
import { ObjectFix } from './fix-of';
import { asRecord, FieldEdit } from '../../../contract';
import { SourceFile } from '../../vocabulary/source-file';
import { ManifestObject } from '../object';

/** The file as if its objects were changed, whether or not its text can be. */
export function withChanges(file: SourceFile, changes: readonly ObjectFix[]): SourceFile {
  const editsOf = new Map<string, readonly FieldEdit[]>();
  for (const { object, fix } of changes)
    editsOf.set(changedObjectKey(object), [...(editsOf.get(changedObjectKey(object)) ?? []), ...fix.edits]);
  return {
    ...file,
    edit: (written) => {
      const object = file.edit ? file.edit(written) : written;
      const metadata = asRecord(object?.metadata);
      const edits = object && editsOf.get(JSON.stringify([object.kind, metadata?.namespace ?? '', metadata?.name]));
      return edits === undefined ? object : (asRecord(editedValue(object, edits)) ?? object);
    },
  };
}

export function changedObjectKey({
  kind,
  namespace = '',
  name,
}: Pick<ManifestObject, 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([kind, namespace, name]);
}
