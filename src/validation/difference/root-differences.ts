import { Difference, Presence } from './difference';
import { Root } from '../manifest';
import { objectsIn } from '../manifest/source/roots/root-objects';

/** The result of `diff` for a repository with several roots, in version 1 of its JSON schema. */
export interface RootDifferences {
  readonly schemaVersion: '1';
  /** Roots that change, and roots that cannot be compared. */
  readonly roots: readonly RootDifference[];
  /** Names of the roots that both sides have, and that do not change. */
  readonly unchanged: readonly string[];
}

/** The effect of a change on one root. */
export interface RootDifference extends Pick<Root, 'name' | 'kind' | 'notes'> {
  /** `added` and `removed`: only one side has the root. */
  readonly change: Presence | 'not compared';
  readonly difference?: Difference;
  /** Why there is no difference. */
  readonly skipped?: string;
}

/** A root as both sides have it. */
export interface RootPair<Side extends Root> {
  readonly before?: Side;
  readonly after?: Side;
}

/** Pairs the roots of both sides by kind and name, then by name only. Names must be relative to their side. */
export function pairRoots<Side extends Root>(before: readonly Side[], after: readonly Side[]): Array<RootPair<Side>> {
  const pairOf = new Map<Side, Side>();
  const pairBy = (keyOf: (root: Side) => string | undefined) => {
    for (const root of after.filter((one) => !pairOf.has(one))) {
      const taken = new Set(pairOf.values());
      const match = before.find(
        (other) => !taken.has(other) && keyOf(other) !== undefined && keyOf(other) === keyOf(root),
      );
      if (match) pairOf.set(root, match);
    }
  };
  pairBy(({ kind, name }) => JSON.stringify([kind, name]));
  pairBy(({ name }) => name);
  pairOnlyFiles(before, after, pairOf);
  const matched = new Set(pairOf.values());
  const pairs = [
    ...after.map((root): RootPair<Side> => ({ before: pairOf.get(root), after: root })),
    ...before.filter((root) => !matched.has(root)).map((root): RootPair<Side> => ({ before: root })),
  ];
  return pairs.sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

/** The name of a root of files is the common folder of its files, which a new file elsewhere changes. */
function pairOnlyFiles<Side extends Root>(
  before: readonly Side[],
  after: readonly Side[],
  pairOf: Map<Side, Side>,
): void {
  const matched = new Set(pairOf.values());
  const [old, ...othersBefore] = before.filter((root) => root.kind === 'files' && !matched.has(root));
  const [now, ...othersAfter] = after.filter((root) => root.kind === 'files' && !pairOf.has(root));
  const areAlone = othersBefore.length === 0 && othersAfter.length === 0;
  if (old && now && areAlone && (isInside(old.name, now.name) || isInside(now.name, old.name))) pairOf.set(now, old);
}

function isInside(folder: string, outer: string): boolean {
  return outer === '.' || folder.startsWith(`${outer}/`);
}

function nameOf<Side extends Root>({ before, after }: RootPair<Side>): string {
  return (after ?? before)!.name;
}

/** Whether both roots have the same objects for sure, so that they need not be compared. */
export function haveSameSources(before: Root, after: Root): boolean {
  return (
    before.sources.length === after.sources.length &&
    before.sources.every((source, index) => {
      const other = after.sources[index];
      // The facts of a stack are not in its text.
      if (source.text !== other.text || source.stack || other.stack || source.unreadable || other.unreadable)
        return false;
      if (source.terraformRegion !== other.terraformRegion) return false;
      if (source.regionElsewhere?.region !== other.regionElsewhere?.region) return false;
      if (source.kubernetesVersion !== other.kubernetesVersion) return false;
      if (textOfGroups(source) !== textOfGroups(other)) return false;
      if (source.karpenterVersion !== other.karpenterVersion || source.isWithoutKarpenter !== other.isWithoutKarpenter)
        return false;
      if (source.isReleaseUnknown !== other.isReleaseUnknown) return false;
      if (JSON.stringify(source.otherReleases) !== JSON.stringify(other.otherReleases)) return false;
      return (!source.edit && !other.edit) || editedText(source) === editedText(other);
    })
  );
}

/** The node groups without their lines, which change with other parts of the file. */
function textOfGroups({ nodeGroups }: Root['sources'][number]): string | undefined {
  return JSON.stringify(nodeGroups?.map(({ name, labels, taints }) => ({ name, labels, taints })));
}

function editedText(source: Root['sources'][number]): string {
  return JSON.stringify(objectsIn(source).map((object) => (source.edit ? source.edit(object) : object)));
}
