import { TemplateSyntaxError } from './syntax';

/** A path in the values. `*` stands for any key or index. */
export type ValuesPath = readonly string[];

/** A dictionary or list that a template makes, with what it may contain. */
export interface Composite {
  readonly fields: Map<string, ValueOrigin>;
  /** What is under keys that are not known. */
  rest: ValueOrigin;
}

/** Where a value of a template may be from. */
export interface ValueOrigin {
  readonly paths: readonly ValuesPath[];
  readonly composites: readonly Composite[];
  /** The prefixes of the charts whose top-level object, with `.Values`, it may be. */
  readonly roots: readonly ValuesPath[];
}

/** A value that is made of no values. */
export const NOWHERE: ValueOrigin = { paths: [], composites: [], roots: [] };

const MOST_PATHS = 200;

export function fromPaths(...paths: readonly ValuesPath[]): ValueOrigin {
  return { ...NOWHERE, paths };
}

export function fromRoot(prefix: ValuesPath): ValueOrigin {
  return { ...NOWHERE, roots: [prefix] };
}

export function unionOf(origins: readonly ValueOrigin[]): ValueOrigin {
  if (origins.length === 1) return origins[0];
  const paths = new Map(origins.flatMap((origin) => origin.paths).map((path) => [JSON.stringify(path), path]));
  const roots = new Map(origins.flatMap((origin) => origin.roots).map((path) => [JSON.stringify(path), path]));
  const composites = new Set(origins.flatMap((origin) => origin.composites));
  if (paths.size > MOST_PATHS || composites.size > MOST_PATHS)
    throw new TemplateSyntaxError('a value may be from too many places');
  return {
    paths: [...paths.values()],
    composites: [...composites],
    roots: [...roots.values()],
  };
}

export function fieldOf({ paths, composites, roots }: ValueOrigin, name: string): ValueOrigin {
  return unionOf([
    fromPaths(...paths.map((path) => [...path, name])),
    ...(name === 'Values' ? roots.map((prefix) => fromPaths(prefix)) : []),
    ...composites.flatMap(({ fields, rest }) => [rest, ...(fields.has(name) ? [fields.get(name)!] : [])]),
  ]);
}

export function itemOf({ paths, composites }: ValueOrigin): ValueOrigin {
  return unionOf([fromPaths(...paths.map((path) => [...path, '*'])), ...composites.flatMap(membersOf)]);
}

export function membersOf({ fields, rest }: Composite): ValueOrigin[] {
  return [rest, ...fields.values()];
}

export function compositeOf(
  rest: readonly ValueOrigin[],
  fields: ReadonlyMap<string, ValueOrigin> = new Map(),
): ValueOrigin {
  return { ...NOWHERE, composites: [{ fields: new Map(fields), rest: unionOf([NOWHERE, ...rest]) }] };
}
