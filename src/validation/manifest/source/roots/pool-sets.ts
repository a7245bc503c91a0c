import { environmentOfRoot, wordsOf } from './environments';
import { Root } from './root';
import { definedIn, editedObjectsIn, isOfKind } from './root-objects';
import { PlainRecord } from '../../records';

/** NodePools that can be in one cluster, with the roots that define them. */
export interface PoolSet<R extends Root = Root> {
  readonly roots: readonly R[];
  /** The roots that tell this set from others. */
  readonly namedAfter: readonly R[];
  /** Such as `prod`. @default - the paths name no environment */
  readonly environment?: string;
}

const PLANNED_KINDS = ['NodePool', 'Provisioner'];

/** What a root gets from a set. */
const SHARED_KINDS = [...PLANNED_KINDS, 'NodeOverlay', 'EC2NodeClass', 'AWSNodeTemplate'];

/** Whether the root itself has NodePools. */
export function hasOwnPools(root: Root): boolean {
  return definedIn(root, PLANNED_KINDS).length > 0;
}

/**
 * Divides the roots that have NodePools. Roots of one environment are one set, unless two of them define the same
 * NodePool: then they are alternatives, and each of them is a set. NodePools of no environment are in every set that
 * does not define them itself.
 */
export function poolSetsOf<R extends Root>(roots: readonly R[], pathOf: (root: Root) => string): PoolSet<R>[] {
  const byEnvironment = new Map<string | undefined, R[]>();
  const all = roots.filter(hasOwnPools);
  const current = all.filter((root) => !hasOnlyLeftOvers(root));
  for (const root of current.length > 0 ? current : all) {
    const environment = environmentOfRoot(root, pathOf);
    byEnvironment.set(environment, [...(byEnvironment.get(environment) ?? []), root]);
  }
  const general = byEnvironment.get(undefined) ?? [];
  return [...byEnvironment].flatMap(([environment, members]) => {
    const shared = environment === undefined ? [] : general;
    return alternativesOf(members).map(
      ({ set, namedAfter }): PoolSet<R> => ({
        namedAfter,
        roots: [...set, ...shared.filter((root) => !definesAnyOf(root, [...set, ...without(shared, root)]))],
        ...(environment === undefined ? {} : { environment }),
      }),
    );
  });
}

/** Whether nobody applies the NodePools of a root, because their successors are beside them. */
function hasOnlyLeftOvers({ sources }: Root): boolean {
  return sources
    .filter((file) => editedObjectsIn(file).some((object) => isOfKind(object, PLANNED_KINDS)))
    .every(({ isLeftOver }) => isLeftOver);
}

interface Alternative<R extends Root> {
  readonly set: readonly R[];
  readonly namedAfter: readonly R[];
}

/** All roots as one set, or a set for each root that defines what another one defines. */
function alternativesOf<R extends Root>(all: readonly R[]): Alternative<R>[] {
  const named = withEachPoolOnce(all);
  const roots = [...named.keys()];
  const isAlternative = (root: R) => definesAnyOf(root, without(roots, root));
  const alternatives = roots.filter(isAlternative);
  if (alternatives.length === 0) return [{ set: roots, namedAfter: [...named.values()] }];
  const others = roots.filter((root) => !isAlternative(root));
  return alternatives.map((root) => ({ set: [root, ...others], namedAfter: [named.get(root)!] }));
}

/**
 * Without the roots that have the same NodePools of the same files as an earlier one, and only other workloads.
 *
 * @returns each root with the one to name it after: that of the file with the NodePools, if several have it
 */
function withEachPoolOnce<R extends Root>(roots: readonly R[]): ReadonlyMap<R, R> {
  const byPools = new Map<string, R[]>();
  for (const root of roots) {
    const pools = JSON.stringify(poolsOf(root));
    byPools.set(pools, [...(byPools.get(pools) ?? []), root]);
  }
  return new Map(
    [...byPools.values()].map(([root, ...others]) => [
      root,
      others.length === 0 ? root : { ...root, name: poolsOf(root)[0].path },
    ]),
  );
}

function poolsOf({ sources }: Root): Array<{ readonly path: string; readonly object: PlainRecord }> {
  return sources.flatMap((file) =>
    editedObjectsIn(file)
      .filter((object) => isOfKind(object, SHARED_KINDS))
      .map((object) => ({ path: file.path, object })),
  );
}

function definesAnyOf(root: Root, others: readonly Root[]): boolean {
  const names = definedIn(root, PLANNED_KINDS);
  return others.some((other) => definedIn(other, PLANNED_KINDS).some((name) => names.includes(name)));
}

function without<R>(roots: readonly R[], root: R): R[] {
  return roots.filter((other) => other !== root);
}

/**
 * The sets that the workloads of a root can be planned with: those of its environment, then those of no environment,
 * then all. If several are left, those whose paths share the most words with the path of the root.
 */
export function candidateSets<R extends Root>(
  root: Root,
  sets: readonly PoolSet<R>[],
  pathOf: (root: Root) => string,
): PoolSet<R>[] {
  const environment = environmentOfRoot(root, pathOf);
  const of = (wanted: string | undefined) => sets.filter((set) => set.environment === wanted);
  const same = environment === undefined ? [] : of(environment);
  const candidates = [same, of(undefined), sets].find((some) => some.length > 0) ?? [];
  return nearestByPath(wordsOf(pathOf(root)), candidates, pathOf);
}

function nearestByPath<R extends Root>(
  own: readonly string[],
  sets: readonly PoolSet<R>[],
  pathOf: (root: Root) => string,
): PoolSet<R>[] {
  if (sets.length < 2) return [...sets];
  const words = sets.map((set) => new Set(set.roots.flatMap((root) => wordsOf(pathOf(root)))));
  // Words that all sets have in common do not tell them apart.
  const telling = [...new Set(own)].filter((word) => !words.every((some) => some.has(word)));
  const matches = words.map((some) => telling.filter((word) => some.has(word)).length);
  return sets.filter((_, index) => matches[index] === Math.max(...matches));
}
