import { recommendationsJson } from './recommendations-json';
import { countText, jsonText, shortListText } from '../../model';
import type { CheckOptions, Origin, Recommendations, SourceFile } from '../../validation';
import { describeProblem, isClusterUnread, withoutInternalError } from '../input/input-problem';
import { chooseRoot, chosenRoots, RenderedRoot, renderedRoots, shortRootNames } from '../input/roots';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { RootFlags } from '../options/root-options';
import { writeResult, writeText } from '../output/output';

export interface RecommendRootsFlags extends RootFlags {
  readonly format: 'text' | 'json';
  readonly output?: string;
  readonly apply?: number;
}

/** More roots with the same reason are counted. */
const MAX_NAMES = 4;

interface RootResult {
  readonly name: string;
  readonly root: RenderedRoot;
  /** Absent if the root is not judged; then `why` says why. */
  readonly result?: Recommendations;
  readonly why?: string;
}

/**
 * Recommendations for each root by itself.
 *
 * @throws UsageError for --apply: the numbers of recommendations are those of one root
 */
export function recommendForRoots(
  roots: readonly RenderedRoot[],
  files: readonly SourceFile[],
  options: CheckOptions,
  flags: RecommendRootsFlags,
  io: Io,
): number {
  const names = shortRootNames(roots);
  if (flags.apply !== undefined)
    throw new UsageError(
      `--apply: the input has ${countText(roots.length, 'root')}, which are deployed separately; ${chooseRoot(names)}`,
    );
  const { validation } = lazy;
  const results = roots.map((root, index): RootResult => {
    const name = names[index];
    if (root.skipped !== undefined) return { name, root, why: root.skipped };
    const onProgress = validation.progressOfUnit(options.onProgress, `${name} (${index + 1} of ${roots.length})`);
    const result = withoutInternalError(options, () =>
      validation.recommend(root.sources, { ...options, onProgress }, originOf(root, files, roots, flags)),
    );
    return typeof result === 'string' ? { name, root, why: result } : { name, root, result };
  });
  const problems = results.flatMap(({ result }) => result?.problems ?? []);
  for (const problem of new Set(problems.map(describeProblem))) io.writeError(problem);
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  if (flags.format === 'json')
    writeResult(
      io,
      flags.output,
      jsonText({
        schemaVersion: '1',
        roots: results.map(({ root, result, why }) => ({
          name: root.name,
          ...(result === undefined ? { skipped: why } : recommendationsJson(result)),
        })),
      }),
    );
  else writeText(io, flags.output, textOf(results, files));
  return problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** The files of a root, the other roots, which may have the same NodePools, and how they follow from the files. */
export function originOf(
  root: RenderedRoot,
  files: readonly SourceFile[],
  all: readonly RenderedRoot[],
  flags: RootFlags,
): Origin {
  return {
    files,
    name: root.name,
    others: all.filter((other) => other.name !== root.name && other.skipped === undefined),
    sourcesFrom: (changed, name) => sourcesOf(changed, flags, (other) => other.name === name),
  };
}

/**
 * The origin of the only root that can be judged. Roots that `--root` does not name are judged, too: their NodePools
 * may be in the same files.
 */
export function originOfOnly(files: readonly SourceFile[], flags: RootFlags): Origin {
  if (flags.root === undefined)
    return { files, name: '', sourcesFrom: (changed) => sourcesOf(changed, flags, () => true) };
  const all = renderedRoots(files, { ...flags, root: undefined });
  return originOf(chosenRoots(all, flags)[0], files, all, flags);
}

/** The sources of a root. No program is needed for a root whose files are read as they are written. */
function sourcesOf(
  files: readonly SourceFile[],
  flags: RootFlags,
  isNeeded: (root: RenderedRoot) => boolean,
): readonly SourceFile[] {
  for (const programs of [{ helm: false, kustomize: false }, {}]) {
    const roots = renderedRoots(files, { ...flags, root: undefined, ...programs });
    const found = roots.find((root) => root.skipped === undefined && isNeeded(root));
    if (found !== undefined) return found.sources;
  }
  return [];
}

/** The roots with a recommendation, and a line for the others. */
function textOf(results: readonly RootResult[], files: readonly SourceFile[]): string {
  const cheaper = results.filter(({ result }) => (result?.recommendations.length ?? 0) > 0);
  const others = results.flatMap(({ name, result, why }) =>
    (result?.recommendations.length ?? 0) > 0 ? [] : [{ name, why: why ?? result?.notes[0] ?? 'nothing is cheaper' }],
  );
  const reasons = [...new Set(others.map(({ why }) => why))];
  return [
    `${countText(results.length, 'root')}, which are deployed separately; ${cheaper.length === 0 ? 'none can' : `${cheaper.length} can`} be made cheaper.\n`,
    ...cheaper.map(({ name, result }) => `== ${name} ==\n${lazy.validation.renderRecommendationsText(result!, files)}`),
    reasons
      .map((reason) => {
        const names = others.filter(({ why }) => why === reason).map(({ name }) => name);
        return `- ${shortListText(names, MAX_NAMES)}: ${reason}\n`;
      })
      .join(''),
  ].join('\n');
}
