import { countText, listText, shortListText } from '../../model';
import type { CheckOptions } from '../../validation';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { chooseRoot, DividedFiles, shortRootNames } from '../input/roots';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { quoted } from '../options/choice-option';
import { textOptions, writeResult, writeText } from '../output/output';
import { expectMuchWork } from '../v8-tuning';

interface ExplainNodesFlags {
  readonly format: 'text' | 'json';
  readonly node: readonly string[];
  readonly output?: string;
}

/**
 * Explains why nodes stay after consolidation. The nodes must be of one root, because roots are deployed separately.
 *
 * @throws UsageError if there are several roots, or no node of a name
 */
export function printNodeExplanations(
  divided: DividedFiles,
  options: CheckOptions,
  flags: ExplainNodesFlags,
  io: Io,
): number {
  const { validation } = lazy;
  const { roots } = divided;
  if (roots?.length === 1) throw new UsageError(`--node: ${roots[0].name} is not judged: ${roots[0].skipped}`);
  if (roots)
    throw new UsageError(
      `--node: the input has ${countText(roots.length, 'root')}, which are deployed separately; ${chooseRoot(shortRootNames(roots))}`,
    );
  expectMuchWork();
  const session = validation.readSession(divided.sources, options);
  const result = validation.explainNodes(session, flags.node);
  for (const problem of result.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(result.problems, options.cluster)) return EXIT.unusable;
  const [unknown] = result.unknownNodes;
  if (unknown) {
    const { node, nearest, existing } = unknown;
    const hint =
      nearest.length > 0
        ? `did you mean ${listText(nearest.map(quoted), 'or')}?`
        : existing.length > 0
          ? `the nodes are ${shortListText(existing)}`
          : 'there is no node: pass the manifests of pods, or the objects of nodes with --cluster';
    throw new UsageError(`--node: no node is called ${quoted(node)}; ${hint}`);
  }
  const explanations = { ...result, assumptions: [...divided.notes, ...result.assumptions] };
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderNodesJson(explanations));
  else writeText(io, flags.output, validation.renderNodesText(explanations, textOptions(io, flags.output)));
  return result.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}
