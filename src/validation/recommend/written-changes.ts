import { PoolChange } from './changes/pool-change';
import { joinedEdits } from './changes/pool-draft';
import { FieldEdit, unsafeFix } from '../../contract';
import { withFixes } from '../fixes/apply-fixes';
import { ManifestObject, SourceFile } from '../manifest';
import { fixOf, ObjectFix } from '../manifest/edit/fix-of';
import { Fix } from '../vocabulary/verdict';

/** The changes as edits of the files of their NodePools. */
export class WrittenChanges {
  private readonly fixes = new Map<PoolChange, Fix | undefined>();

  /** @param pools the NodePools by name */
  public constructor(
    private readonly pools: ReadonlyMap<string, ManifestObject>,
    private readonly files: readonly SourceFile[],
  ) {}

  /** Undefined if the file of the NodePool cannot be changed: it is generated, or its notation does not allow it. */
  public fixOf(change: PoolChange): Fix | undefined {
    if (!this.fixes.has(change)) this.fixes.set(change, this.written(change));
    return this.fixes.get(change);
  }

  /**
   * The changed files. Undefined if the changes cannot all be made together.
   *
   * @param remedies further changes of the objects as they are
   */
  public filesWith(changes: readonly PoolChange[], remedies: readonly ObjectFix[] = []): SourceFile[] | undefined {
    const all = this.objectChanges(changes, remedies);
    const fixes = all.map(({ object, fix }) => fixOf(object, fix));
    const known = fixes.flatMap((fix) => fix ?? []);
    const changed = [...new Set(known.map(({ file }) => file))].map((path) => {
      const source = this.files.find((file) => file.path === path);
      const own = known.filter(({ file }) => file === path);
      const result = source && withFixes(source, own);
      return result?.applied.length === own.length ? result.file : undefined;
    });
    const files = changed.flatMap((file) => file ?? []);
    return known.length === fixes.length && files.length === changed.length ? files : undefined;
  }

  /** The changes of each object together. */
  public objectChanges(changes: readonly PoolChange[], remedies: readonly ObjectFix[]): ObjectFix[] {
    const edits = new Map<ManifestObject, FieldEdit[]>();
    const add = (object: ManifestObject, added: readonly FieldEdit[]) =>
      edits.set(object, [...(edits.get(object) ?? []), ...added]);
    for (const change of changes) add(this.pools.get(change.nodePool)!, change.edits);
    for (const { object, fix } of remedies) add(object, fix.edits);
    return [...edits].map(([object, own]) => ({ object, fix: unsafeFix(...joinedEdits(own, object.raw)) }));
  }

  private written(change: PoolChange): Fix | undefined {
    const [{ object, fix }] = this.objectChanges([change], []);
    const { source } = object;
    // The text of an object of an older API version is that of its conversion. A byte order mark is no text.
    const isText = this.files.some(({ path, text }) => path === source?.file.path && text.endsWith(source.file.text));
    return isText ? fixOf(object, fix) : undefined;
  }
}
