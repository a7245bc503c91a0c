import { PoolChange } from './changes/pool-change';
import { joinedEdits } from './changes/pool-draft';
import { unsafeFix } from '../../contract';
import { withFixes } from '../fixes/apply-fixes';
import { ManifestObject, SourceFile } from '../manifest';
import { fixOf } from '../manifest/edit/fix-of';
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
    if (!this.fixes.has(change)) this.fixes.set(change, this.written([change]));
    return this.fixes.get(change);
  }

  /** The changed files. Undefined if the changes cannot all be made together. */
  public filesWith(changes: readonly PoolChange[]): SourceFile[] | undefined {
    const fixes = [...new Set(changes.map(({ nodePool }) => nodePool))].map((name) =>
      this.written(changes.filter(({ nodePool }) => nodePool === name)),
    );
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

  private written(changes: readonly PoolChange[]): Fix | undefined {
    const object = this.pools.get(changes[0].nodePool);
    if (object === undefined) return undefined;
    const edits = joinedEdits(
      changes.flatMap((change) => change.edits),
      object.raw,
    );
    return fixOf(object, unsafeFix(...edits));
  }
}
