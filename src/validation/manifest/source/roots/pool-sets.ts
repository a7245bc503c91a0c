import { environmentOfRoot, wordsOf } from './environments';
import { Root } from './root';
import { definedIn } from './root-objects';

/** NodePools that can be in one cluster, with the roots that define them. */
export interface PoolSet<R extends Root = Root> {
  readonly roots: readonly R[];
  /** The roots that tell this set from others. */
  readonly namedAfter: readonly R[];
  /** Such as `prod`. @default - the paths name no environment */
  readonly environment?: string;
}

const PLANNED_KINDS = ['NodePool', 'Provisioner'];

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
  for (const root of roots.filter(hasOwnPools)) {
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

interface Alternative<R extends Root> {
  readonly set: readonly R[];
  readonly namedAfter: readonly R[];
}

/** All roots as one set, or a set for each root that defines what another one defines. */
function alternativesOf<R extends Root>(roots: readonly R[]): Alternative<R>[] {
  const isAlternative = (root: R) => definesAnyOf(root, without(roots, root));
  const alternatives = roots.filter(isAlternative);
  if (alternatives.length === 0) return [{ set: roots, namedAfter: roots }];
  const others = roots.filter((root) => !isAlternative(root));
  return alternatives.map((root) => ({ set: [root, ...others], namedAfter: [root] }));
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
