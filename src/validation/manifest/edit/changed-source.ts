import { editedValue } from './edited-value';
import { ObjectFix } from './fix-of';
import { asRecord, FieldEdit } from '../../../contract';
import { LegacyConverter } from '../../check-options';
import { SourceFile } from '../../vocabulary/source-file';
import { ManifestObject } from '../object';

type Raw = Readonly<Record<string, unknown>>;

/** The file as if its objects were changed, whether or not its text can be. */
export function withChanges(file: SourceFile, changes: readonly ObjectFix[]): SourceFile {
  const change = changeOf(changes);
  return {
    ...file,
    edit: (written) => {
      const object = file.edit ? file.edit(written) : written;
      return object && change(object);
    },
  };
}

/** Changes NodePools that are made of Provisioners, whose fields have other places in the file. */
export function convertedWithChanges(convert: LegacyConverter, changes: readonly ObjectFix[]): LegacyConverter {
  const change = changeOf(changes);
  return (objects) =>
    convert(objects).map((made, index) => (objects[index].kind === 'Provisioner' ? made.map(change) : made));
}

export function changedObjectKey({
  kind,
  namespace = '',
  name,
}: Pick<ManifestObject, 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([kind, namespace, name]);
}

function changeOf(changes: readonly ObjectFix[]): (object: Raw) => Raw {
  const editsOf = new Map<string, readonly FieldEdit[]>();
  for (const { object, fix } of changes)
    editsOf.set(changedObjectKey(object), [...(editsOf.get(changedObjectKey(object)) ?? []), ...fix.edits]);
  const changedResource = (resource: unknown, logicalId: string) => {
    const edits = editsOf.get(JSON.stringify([asRecord(resource)?.Type, '', logicalId]));
    return edits === undefined ? resource : (asRecord(editedValue(resource, edits)) ?? resource);
  };
  return (object) => {
    const resources = asRecord(object.Resources);
    if (resources !== undefined && object.kind === undefined)
      return {
        ...object,
        Resources: Object.fromEntries(Object.entries(resources).map(([id, raw]) => [id, changedResource(raw, id)])),
      };
    const metadata = asRecord(object.metadata);
    const edits = editsOf.get(JSON.stringify([object.kind, metadata?.namespace ?? '', metadata?.name]));
    return edits === undefined ? object : (asRecord(editedValue(object, edits)) ?? object);
  };
}
