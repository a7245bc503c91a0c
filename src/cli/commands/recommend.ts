import { Command, InvalidArgumentError } from 'commander';
import { originOf, originOfOnly, recommendForRoots } from './recommend-roots';
import { addUsageOptions, recommendFromUsage, USAGE_HELP, UsageFlags } from './recommend-usage';
import { recommendationsJson } from './recommendations-json';
import { countText, jsonText } from '../../model';
import type { CheckOptions, Recommendations, SourceFile } from '../../validation';
import { findConstructsFile } from '../input/constructs-file';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { dividedFiles } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import {
  AcknowledgeFlags,
  acknowledgeOptions,
  addAcceptOptions,
  applyDefaultFlags,
} from '../options/acknowledge-options';
import { choiceOption } from '../options/choice-option';
import { addRootOptions, RootFlags } from '../options/root-options';
import { addSettleOptions, SettleFlags, settleOptions } from '../options/settle-options';
import { addSharedOptions, checkOptionsFromFlags, clusterOptions, SharedFlags } from '../options/shared-options';
import { writeErrorLine, writeResult, writeText } from '../output/output';
import { replaceFiles } from '../output/replace-file';

type RecommendFlags = SharedFlags & AcknowledgeFlags & RootFlags & SettleFlags & UsageFlags;

const HELP = `
Changes of NodePools are tried one by one and together, each by scheduling all
pods: bounds on the CPUs and GPUs of a node, more sizes, categories, families,
generations, instance types and zones, categories less, and one NodePool for
two. Spot and arm64 are tried as well, but kept apart: they need your consent.
arm64 is tried only if the names or publishers of all images show that they run
there.

At most five recommendations are printed. None is worse in every respect than
another. Those without consent come first, then those with fewest changes. A
plain check of the changed files says the same price. None leaves a pod without
a node, and none makes a new error or warning, also in the other roots that have
the same NodePool. Each also saves once Karpenter has consolidated the nodes,
where that is simulated. Below the price stands what changes with it: the price
after consolidation, nodes, how much is lost with one node or zone, spot,
interruptions, and instance types in each zone. Each has its patch, and its
requirements as constructs in TypeScript.

A repository is divided into roots as check does, and each is searched by
itself; --root chooses one.

The best fleet found is searched on nodes of the present NodePools. It keeps
required spread, affinity, zones, taints, volumes and limits, but no preferences,
weights and minValues. Karpenter would not build it by itself.

The lower bound is proven: no fleet on nodes of the present NodePools costs
less, whatever places the pods. Changed NodePools may go below it.
${USAGE_HELP}

Examples:
  karpenter-constructs recommend manifests/
  karpenter-constructs recommend . --root overlays/prod
  karpenter-constructs recommend manifests/ --apply 1
  karpenter-constructs recommend manifests/ --format json
  karpenter-constructs recommend manifests/ --usage vpa.yaml --usage memory.json`;

export function addRecommendCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program
    .command('recommend')
    .description('Searches for lines of NodePools that make the same pods cheaper, and shows the least possible price.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json']).default('text'))
    .option('--apply <number>', 'make the changes of this recommendation in the files', parseNumber);
  addSettleOptions(addRootOptions(addAcceptOptions(addSharedOptions(addUsageOptions(command)))))
    .addHelpText('after', HELP)
    .action(async (paths: string[]) => setExitCode(await recommend(paths, command, io)));
}

function parseNumber(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('write the number of a recommendation, such as 1');
  return Number(text);
}

async function recommend(paths: readonly string[], command: Command, io: Io): Promise<number> {
  const { validation } = lazy;
  const file = findConstructsFile(paths);
  applyDefaultFlags(file, command);
  const flags: RecommendFlags = command.opts();
  const options: CheckOptions = {
    ...checkOptionsFromFlags(flags, io),
    ...(await clusterOptions(flags, paths, io)),
    acknowledge: acknowledgeOptions(file, flags),
    settle: settleOptions(flags),
    onProgress: io.onProgress,
  };
  const files = await readSourceFiles(paths, io);
  const divided = dividedFiles(files, flags);
  if (flags.usage !== undefined) return recommendFromUsage(divided, options, flags, io);
  if (flags.headroom !== undefined) throw new UsageError('--headroom: needs --usage');
  const roots = divided.roots?.filter(({ skipped }) => skipped === undefined) ?? [];
  if (divided.roots !== undefined && roots.length !== 1)
    return recommendForRoots(divided.roots, files, options, flags, io);
  const result =
    divided.roots === undefined
      ? validation.recommend(divided.sources, options, originOfOnly(files, flags))
      : validation.recommend(roots[0].sources, options, originOf(roots[0], files, divided.roots, flags));
  for (const problem of result.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(result.problems, options.cluster)) return EXIT.unusable;
  if (flags.format === 'json') writeResult(io, flags.output, jsonText(recommendationsJson(result)));
  else writeText(io, flags.output, validation.renderRecommendationsText(result, files));
  if (flags.apply !== undefined) apply(flags.apply, result, files, io);
  return result.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** @throws UsageError if there is no such recommendation, or a file cannot be changed */
function apply(number: number, { recommendations }: Recommendations, given: readonly SourceFile[], io: Io): void {
  const chosen = recommendations[number - 1];
  if (chosen === undefined)
    throw new UsageError(
      `--apply: there is no recommendation ${number}; there ${recommendations.length === 1 ? 'is' : 'are'} ${countText(recommendations.length, 'recommendation')}`,
    );
  if (chosen.files.length === 0)
    throw new UsageError(
      `--apply: a NodePool of recommendation ${number} is in no file that can be changed; write its requirements where the NodePool is made`,
    );
  replaceFiles(
    chosen.files.map(({ path, text }) => ({
      path,
      before: given.find((file) => file.path === path)!.text,
      after: text,
    })),
    '--apply',
  );
  const edits = [
    ...chosen.changes.map(({ nodePool, description, fix }) => ({ text: `NodePool ${nodePool}, ${description}`, fix })),
    ...(chosen.remedies ?? []).map(({ object, description, fix }) => ({ text: `${object}, ${description}`, fix })),
  ];
  for (const { text, fix } of edits)
    if (fix !== undefined) writeErrorLine(io, `changed ${fix.file}:${fix.edits[0].line}: ${text}`);
}
