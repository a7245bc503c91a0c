import { UnmatchedEntry } from './accumulated';
import { Built } from './build';
import { isOfKarpenter, listAt } from './changes/replaced-lists';
import { withNulls } from './resources/read-resources';
import { Resource } from './resources/resource';
import { PlainFields, isEqual, isFields } from './values';
import { UnmatchedPatch } from '../../../../vocabulary/source-file';
import { FieldPath, ProtectedObject, RenamedObject, ReplacedList, SourceFile } from '../../../model';
import { MappingValue } from '../../../yaml/mapping-value';

/** The files of a build, each with an edit that makes of an object what the build makes of it. */
export class BuiltFiles {
  /** By the use of a file, and there by the text of the object. */
  private readonly resources = new Map<number, Map<string, Resource>>();

  /** @param by the object that writes the inline fields, with its file */
  public constructor(
    private readonly built: Built,
    private readonly by?: { readonly file: SourceFile; readonly object: Readonly<Record<string, unknown>> },
  ) {
    for (const resource of built.resources) {
      const { source } = resource;
      if (!source) continue;
      const ofUse = this.resources.get(source.use) ?? new Map<string, Resource>();
      this.resources.set(source.use, ofUse.set(source.key, resource));
    }
  }

  public get sources(): SourceFile[] {
    const { uses } = this.built;
    const unmatchedPatches = this.built.unmatched.flatMap((entry) => this.unmatchedPatch(entry));
    return [...this.resources]
      .sort(([left], [right]) => left - right)
      .map(([use, resources], index) => {
        const replacedLists = [...resources.values()].flatMap(replacedIn);
        const patchedFields = [...resources.values()].flatMap((resource) => resource.patchedFields);
        const protectedObjects = [...resources.values()].flatMap((resource) => this.protectedIn(resource));
        const renamedObjects = [...resources.values()].flatMap(renamedIn);
        const edit: SourceFile['edit'] = (object) => edited(object, resources);
        return {
          ...uses[use],
          isFound: false,
          edit,
          ...(replacedLists.length > 0 ? { replacedLists } : {}),
          ...(patchedFields.length > 0 ? { patchedFields } : {}),
          ...(renamedObjects.length > 0 ? { renamedObjects } : {}),
          ...(protectedObjects.length > 0 ? { protectedObjects } : {}),
          ...(index === 0 && unmatchedPatches.length > 0 ? { unmatchedPatches } : {}),
        };
      });
  }

  private protectedIn({ protectedBy, kind, name, namespace }: Resource): ProtectedObject[] {
    if (!protectedBy) return [];
    const { file, path } = protectedBy;
    if (file) return [{ kind, name, namespace, file, path }];
    const written = this.by && pathOfField(this.by.object, path, []);
    return written ? [{ kind, name, namespace, file: this.by!.file, by: this.by!.object, path: written }] : [];
  }

  private unmatchedPatch({ place, ...unmatched }: UnmatchedEntry): UnmatchedPatch[] {
    if (place?.inline) return [{ ...unmatched, file: place.file, path: place.inline }];
    const path = this.by && pathOfTarget(this.by.object, JSON.stringify(unmatched.target), []);
    return path ? [{ ...unmatched, file: this.by!.file, by: this.by!.object, path }] : [];
  }
}

/** Where an object writes the target of a patch. */
function pathOfTarget(value: unknown, target: string, path: FieldPath): FieldPath | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.at(-1) === 'target' && JSON.stringify(value) === target) return path;
  for (const [key, inner] of Object.entries(value)) {
    const found = pathOfTarget(inner, target, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

/** Where an object writes a field that ends with the path. */
function pathOfField(value: unknown, end: FieldPath, path: FieldPath): FieldPath | undefined {
  if (end.length <= path.length && end.every((step, index) => step === path[path.length - end.length + index]))
    return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = pathOfField(inner, end, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

function renamedIn({ renamedBy, kind, name, originalId, apiVersion }: Resource): RenamedObject[] {
  return renamedBy && isOfKarpenter(apiVersion) ? [{ ...renamedBy, kind, from: originalId.name, to: name }] : [];
}

function replacedIn({ fields, replacedLists }: Resource): ReplacedList[] {
  return replacedLists.flatMap((list) => {
    const built = listAt(fields, list.path);
    return built ? [{ ...list, built }] : [];
  });
}

/** Undefined if the build leaves the object out. An object that the build does not change stays itself. */
function edited(object: Readonly<Record<string, unknown>>, resources: ReadonlyMap<string, Resource>) {
  const fields = resources.get(JSON.stringify(object))?.fields;
  if (fields === undefined) return undefined;
  return isEqual(fields, withNulls(object)) ? object : withoutNulls(fields);
}

/** The value as reading makes it, which leaves null values out, and remembers them. */
function withoutNulls(value: PlainFields): Readonly<PlainFields> {
  const mapping = new MappingValue([]);
  for (const [key, inner] of Object.entries(value)) mapping.add(key, convertedItem(inner), 0);
  return mapping.result();
}

function convertedItem(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertedItem);
  return isFields(value) ? withoutNulls(value) : value;
}
