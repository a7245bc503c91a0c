import { KindSchema } from './schema';

/** `data/karpenter-api/<release>.json` of the newest release: all of it. */
export interface ReleaseFile {
  readonly release: string;
  readonly kinds: readonly KindSchema[];
}

/** The same of an older release: what is otherwise than in the newest one. */
export interface OlderReleaseFile {
  readonly release: string;
  readonly newest: string;
  /**
   * Steps from the list of kinds, by `<apiVersion> <kind>`, to a value; without one, the newest release's is not there.
   */
  readonly changes: ReadonlyArray<{ readonly at: readonly string[]; readonly value?: unknown }>;
}

type Tree = { [key: string]: unknown };

/** `<apiVersion> <kind>` of each kind, and what there is of it. */
export function kindsByName(kinds: readonly KindSchema[]): Record<string, KindSchema> {
  return Object.fromEntries(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]));
}

/** What an older release had, from the newest one and the differences. */
export function applyChanges(newest: readonly KindSchema[], changes: OlderReleaseFile['changes']): KindSchema[] {
  const root = structuredClone(kindsByName(newest)) as unknown as Tree;
  for (const { at, value } of changes) {
    const parent = at.slice(0, -1).reduce((tree, key) => tree[key] as Tree, root);
    const key = at[at.length - 1];
    if (value === undefined) delete parent[key]; else parent[key] = value;
  }
  return Object.values(root) as unknown as KindSchema[];
}
