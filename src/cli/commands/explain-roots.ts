import { countText, moreText } from '../../model';
import type { CheckOptions, Explanations, RootExplanations, TextOptions } from '../../validation';
import { describeProblem, isClusterUnread, withoutInternalError } from '../input/input-problem';
import { chooseRoot, RenderedRoot } from '../input/roots';
import { EXIT, Io } from '../io';
import { lazy } from '../lazy';
import { writeErrorLine, textOptions, writeResult, writeText } from '../output/output';

export interface ExplainRootsFlags {
  readonly format: 'text' | 'json';
  readonly pod: readonly string[];
  readonly output?: string;
}

/** Long enough for the stages of one app, and short enough to read. */
const MAX_ROOTS = 5;

/**
 * Explains the pods in each root that has pods of a name.
 *
 * @param rejectUnknown throws for names that no root has
 */
export function explainRoots(
  roots: readonly RenderedRoot[],
  options: CheckOptions,
  flags: ExplainRootsFlags,
  io: Io,
  rejectUnknown: (unknown: Explanations['unknownPods']) => void,
): number {
  const { validation } = lazy;
  const acknowledge = { ...options.acknowledge, isPartial: true };
  const results = roots.map(({ sources, skipped, ...root }, index): RootExplanations => {
    const onProgress = validation.progressOfUnit(options.onProgress, `${root.name} (${index + 1} of ${roots.length})`);
    if (skipped !== undefined) return { ...root, skipped };
    const explanations = withoutInternalError(options, () =>
      validation.explain(sources, flags.pod, { ...options, acknowledge, onProgress }),
    );
    return { ...root, ...(typeof explanations === 'string' ? { skipped: explanations } : { explanations }) };
  });
  const all = results.flatMap(({ explanations }) => explanations ?? []);
  const found = results.filter(({ explanations }) => explanations !== undefined && explanations.placements.length > 0);
  const skipped = results.filter((root) => root.skipped !== undefined);
  const unknown = unknownIn(all);
  const explained = found.flatMap(({ explanations }) => explanations ?? []);
  // Files that cannot be read may have the pods, so they matter if the pods are not found.
  const problems = (unknown.length > 0 ? all : explained).flatMap((explanations) => explanations.problems);
  for (const problem of new Set(problems.map(describeProblem))) io.writeError(problem);
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  const named = validation.shortNames(results.map(validation.printableRoot));
  const short = (chosen: readonly RootExplanations[]) => named.filter((_, index) => chosen.includes(results[index]));
  if (unknown.length > 0) for (const line of notSearched(short(skipped))) writeErrorLine(io, line);
  rejectUnknown(unknown);
  if (flags.format === 'json')
    writeResult(io, flags.output, validation.renderRootExplanationsJson([...found, ...skipped]));
  else writeText(io, flags.output, textOf(short(found), short(skipped), flags, textOptions(io, flags.output)));
  return problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** The names that no root has. */
function unknownIn(all: readonly Explanations[]): Explanations['unknownPods'] {
  const [first, ...others] = all.map(({ unknownPods }) => unknownPods);
  return (first ?? []).flatMap((unknown) => {
    const same = others.map((pods) => pods.find(({ pod }) => pod === unknown.pod));
    if (same.some((pod) => pod === undefined)) return [];
    const everywhere = [unknown, ...same].flatMap((pod) => pod ?? []);
    // The nearest name of any root: one root alone would answer with its own names, however different.
    const nearest = lazy.validation.nearestPodNames(
      everywhere.flatMap((pod) => pod.nearest),
      unknown.pod,
    );
    return [{ pod: unknown.pod, nearest, why: everywhere.find(({ why }) => why !== undefined)?.why }];
  });
}

function textOf(
  found: readonly RootExplanations[],
  skipped: readonly RootExplanations[],
  { pod: names }: ExplainRootsFlags,
  options: TextOptions,
): string {
  const hidden = found.slice(MAX_ROOTS);
  return [
    ...(found.length > 1
      ? [
          `${names.join(', ')}: found in ${countText(found.length, 'root')}, which are deployed separately; ${chooseRoot(found.map(({ name }) => name))}\n`,
        ]
      : []),
    ...found
      .slice(0, MAX_ROOTS)
      .map(
        ({ name, notes, explanations }) =>
          `== ${name} ==\n${notes.map((note) => `${note}\n`).join('')}${lazy.validation.renderExplanationsText(explanations!, options)}`,
      ),
    ...(hidden.length === 0
      ? []
      : [`and in ${moreText(hidden.length, 'root')}: ${hidden.map(({ name }) => name).join(', ')}\n`]),
    ...(skipped.length === 0
      ? []
      : [
          notSearched(skipped)
            .map((line) => `- ${line}\n`)
            .join(''),
        ]),
  ].join('\n');
}

/** Roots with the same reason share a line. */
function notSearched(skipped: readonly RootExplanations[]): string[] {
  const reasons = [...new Set(skipped.map(({ skipped: why }) => why))];
  return reasons.map(
    (reason) =>
      `not searched: ${skipped
        .filter(({ skipped: why }) => why === reason)
        .map(({ name }) => name)
        .join(', ')}; ${reason}`,
  );
}
