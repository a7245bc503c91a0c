import { statSync } from 'fs';
import { dirname, normalize, relative } from 'path';
import type {
  CheckOptions,
  Comparison,
  Finding,
  Root,
  RootDifference,
  RootDifferences,
  RootPair,
  SourceFile,
} from '../../validation';
import { describeProblem, isClusterUnread, withoutInternalError } from '../input/input-problem';
import { allRoots, chosenRoots, divisionOf, RenderedRoot } from '../input/roots';
import { STDIN } from '../input/source-files';
import { EXIT, Io } from '../io';
import { lazy } from '../lazy';
import { exitCodeOf, FailOnFlags } from '../options/fail-on';
import { RootFlags } from '../options/root-options';
import { textOptions, writeResult, writeText } from '../output/output';
import { textTable } from '../output/text-table';
import { Programs } from '../programs/programs';

export interface DiffRootsFlags extends FailOnFlags {
  readonly format: 'text' | 'json' | 'markdown' | 'html';
  readonly output?: string;
}

/** Both sides as they are compared: each as one, or in pairs of roots. */
export type DividedSides =
  | {
      readonly before: readonly SourceFile[];
      readonly after: readonly SourceFile[];
      readonly notes: readonly string[];
      readonly pairs?: undefined;
    }
  | { readonly pairs: ReadonlyArray<RootPair<RenderedRoot>> };

/** The files of a side, and the path on the command line that they are below. */
export interface Side {
  readonly path: string;
  readonly files: readonly SourceFile[];
}

/**
 * Divides both sides into roots. Sides with one root each are compared as they are, whatever their names.
 *
 * @throws UsageError if neither side has a root that `--root` names
 */
export function dividedSides(before: Side, after: Side, flags: RootFlags): DividedSides {
  const programs = new Programs();
  const sides = [before, after].map(({ path, files }) => {
    const all = allRoots(files, flags, programs);
    return { path, files, all, names: namedInside(path, all).map(({ name }) => ({ name })) };
  });
  // A name is looked up in both sides, because one of them may lack the root.
  const chosen = new Set(
    chosenRoots(
      sides.flatMap(({ names }) => names),
      flags,
    ).map(({ name }) => name),
  );
  const [old, now] = sides.map(({ path, files, all, names }) => {
    const own = all.filter((_, index) => chosen.has(names[index].name));
    const { withKarpenterOfRepository, withSharedPools } = lazy.validation;
    const named = namedInside(path, withKarpenterOfRepository(withSharedPools(all, own), files));
    const roots = named.map(({ root, name }) => ({ ...root, name }));
    return { roots, divided: divisionOf(roots, flags.root === undefined ? files : []) };
  });
  if (!old.divided.roots && !now.divided.roots)
    return { before: old.divided.sources, after: now.divided.sources, notes: now.divided.notes };
  return { pairs: lazy.validation.pairRoots(old.roots, now.roots) };
}

/** The names of both sides are made comparable: they are relative to the path of the side. */
function namedInside<R extends Root>(
  path: string,
  roots: readonly R[],
): Array<{ readonly root: R; readonly name: string }> {
  const base = normalize(path === STDIN ? '.' : statSync(path).isDirectory() ? path : dirname(path)).replace(
    /(.)\/$/,
    '$1',
  );
  const inside = (name: string) => relative(base, name) || '.';
  // Notes name folders, too, which would differ between the sides.
  const noteInside = (note: string) =>
    base === '.'
      ? note
      : note
          .replaceAll(`${base}/`, '')
          .split(' ')
          .map((word) => (word === base ? '.' : word))
          .join(' ');
  return roots.map((given) => {
    const root = { ...given, notes: given.notes.map(noteInside) };
    if (root.kind !== 'cluster') return { root, name: inside(root.name) };
    // A cluster has the name of its folder, or any other.
    const cluster = root.name.replace(/^cluster /, '');
    const isFolder = cluster === base || cluster.startsWith(`${base}/`);
    return { root, name: isFolder ? `cluster ${inside(cluster)}` : root.name };
  });
}

/** Compares the roots of both sides. Roots with equal sources are not scheduled. */
export function diffRoots(
  pairs: ReadonlyArray<RootPair<RenderedRoot>>,
  options: CheckOptions,
  flags: DiffRootsFlags,
  io: Io,
): number {
  const { validation } = lazy;
  const problems: Finding[] = [];
  const unchanged: string[] = [];
  let isBroken = false;
  const roots = pairs.flatMap((pair, index): RootDifference[] => {
    const { before, after } = pair;
    const { name, kind } = (after ?? before)!;
    const notes = [...new Set([...(before?.notes ?? []), ...(after?.notes ?? [])])];
    const onProgress = validation.progressOfUnit(options.onProgress, `${name} (${index + 1} of ${pairs.length})`);
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const skipped = after?.skipped ?? before?.skipped;
    if (skipped !== undefined)
      return [{ name, kind, notes, change: change === 'changed' ? 'not compared' : change, skipped }];
    if (before && after && validation.haveSameSources(before, after)) {
      unchanged.push(name);
      return [];
    }
    const compared = comparedPair(pair, { ...options, onProgress });
    if (typeof compared === 'string') {
      isBroken = true;
      return [{ name, kind, notes, change: 'not compared', skipped: compared }];
    }
    const unreadable = unreadableIn(compared);
    problems.push(...unreadable);
    if (unreadable.length > 0)
      return [{ name, kind, notes, change: 'not compared', skipped: 'some of its input cannot be read' }];
    if (change !== 'changed' || !validation.isUnchanged(compared.difference))
      return [{ name, kind, notes, change, difference: compared.difference }];
    unchanged.push(name);
    return [];
  });
  for (const problem of new Set(problems.map(describeProblem))) io.writeError(problem);
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  const differences: RootDifferences = { schemaVersion: '1', roots, unchanged };
  writeDifferences(differences, flags, io);
  const isNothingCompared = unchanged.length === 0 && roots.every(({ difference }) => difference === undefined);
  if (problems.length > 0 || isNothingCompared) return EXIT.unusable;
  return isBroken ? EXIT.findings : exitCodeOf(validation.newFindingsOfRoots(differences), flags);
}

/** The comparison, or why there is none. */
function comparedPair({ before, after }: RootPair<RenderedRoot>, options: CheckOptions): Comparison | string {
  const mayBeEmpty = before === undefined || after === undefined || options.mayBeEmpty;
  const acknowledge = { ...options.acknowledge, isPartial: true };
  return withoutInternalError(options, () =>
    lazy.validation.compare(before?.sources ?? [], after?.sources ?? [], { ...options, acknowledge, mayBeEmpty }),
  );
}

/** Unreadable input on one side would look like a change. */
export function unreadableIn({ before, after }: Comparison): Finding[] {
  return [before, after]
    .flatMap(({ findings }) => findings)
    .filter(({ rule, severity }) => rule === lazy.validation.UNREADABLE_INPUT && severity === 'error');
}

function writeDifferences(differences: RootDifferences, { format, output }: DiffRootsFlags, io: Io): void {
  const { validation } = lazy;
  switch (format) {
    case 'json':
      return writeResult(io, output, validation.renderDifferenceJson(differences));
    case 'html':
      return writeResult(io, output, validation.renderRootDifferencesHtml(differences, validation.RULES));
    case 'markdown':
      return writeResult(io, output, validation.renderRootDifferencesMarkdown(differences));
    default:
      return writeText(io, output, validation.renderRootDifferencesText(differences, tableOf, textOptions(io, output)));
  }
}

function tableOf(rows: ReadonlyArray<readonly string[]>): string {
  return textTable(rows, ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right']);
}
