import { Built } from './build';
import { isOfKarpenter, listAt } from './changes/replaced-lists';
import { withNulls } from './resources/read-resources';
import { Resource } from './resources/resource';
import { PlainFields, isEqual, isFields } from './values';
import { RenamedObject, ReplacedList, SourceFile } from '../../../model';
import { MappingValue } from '../../../yaml/mapping-value';

/** The files of a build, each with an edit that makes of an object what the build makes of it. */
export class BuiltFiles {
  /** By the use of a file, and there by the text of the object. */
  private readonly resources = new Map<number, Map<string, Resource>>();

  public constructor(private readonly built: Built) {
    for (const resource of built.resources) {
      const { source } = resource;
      if (!source) continue;
      const ofUse = this.resources.get(source.use) ?? new Map<string, Resource>();
      this.resources.set(source.use, ofUse.set(source.key, resource));
    }
  }

  public get sources(): SourceFile[] {
    const { uses } = this.built;
    return [...this.resources]
      .sort(([left], [right]) => left - right)
      .map(([use, resources]) => {
        const replacedLists = [...resources.values()].flatMap(replacedIn);
        const renamedObjects = [...resources.values()].flatMap(renamedIn);
        const edit: SourceFile['edit'] = (object) => edited(object, resources);
        return {
          ...uses[use],
          isFound: false,
          edit,
          ...(replacedLists.length > 0 ? { replacedLists } : {}),
          ...(renamedObjects.length > 0 ? { renamedObjects } : {}),
        };
      });
  }
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
