import { existsSync } from 'fs';
import { join } from 'path';
import { Command } from 'commander';
import { diffRoots, dividedSides, unreadableIn } from './diff-roots';
import { findConstructsFile } from '../input/constructs-file';
import { describeProblem } from '../input/input-problem';
import { readSourceFiles, STDIN } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import {
  AcknowledgeFlags,
  acknowledgeOptions,
  addAcceptOptions,
  applyDefaultFlags,
} from '../options/acknowledge-options';
import { choiceOption, quoted } from '../options/choice-option';
import { addCostOptions, CostFlags } from '../options/cost-options';
import { exitCodeOf, FailOnFlags, failOnOption } from '../options/fail-on';
import { addRootOptions, RootFlags } from '../options/root-options';
import { addSettleOptions, SettleFlags, settleOptions } from '../options/settle-options';
import { addSharedOptions, checkOptionsFromFlags, clusterOptions, SharedFlags } from '../options/shared-options';
import { textOptions, writeResult, writeText } from '../output/output';

interface DiffFlags extends SharedFlags, CostFlags, FailOnFlags, AcknowledgeFlags, RootFlags, SettleFlags {
  readonly format: 'text' | 'json' | 'markdown' | 'html';
  readonly path?: readonly string[];
}

const HELP = `
Both sides are read like the paths of check, with the same options. The result
shows the change of nodes and cost, who pays it, changed objects, what NodePools can launch
now, nodes that drift and how many at a time, pods that no longer fit, and new
and resolved findings. Two findings are equal if they have the same rule,
severity, object and field.

Both sides are divided into roots as check does, and roots are compared by their
paths. With several roots, the result is a table with a line for each root that
changes, and then what changes in it. --root chooses one.

Without --cluster, the nodes that drift are those planned from the manifests
before. To simulate how they are replaced, run
check <after> --cluster … --scenario drift.

The exit code depends on new findings only. Findings that are acknowledged after
the change, by annotations, karpenter-constructs.yaml or --baseline, are listed
apart and do not count.

Examples:
  karpenter-constructs diff before/ after/
  git worktree add /tmp/main main && karpenter-constructs diff /tmp/main/manifests manifests
  karpenter-constructs diff /tmp/main . --path manifests --path karpenter
  karpenter-constructs diff /tmp/main . --root overlays/prod
  kustomize build overlays/prod | karpenter-constructs diff prod.yaml -
  karpenter-constructs diff before/ after/ --cluster cluster.yaml --format json
  karpenter-constructs diff before/ after/ --cost-by label:team
  karpenter-constructs diff before/ after/ --format markdown > comment.md
  karpenter-constructs diff before/ after/ --format html --output diff.html`;

export function addDiffCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program
    .command('diff')
    .description('Shows the effect of a change of manifests on nodes, cost, pods and findings, and which nodes drift.')
    .argument('<before>', 'manifests before the change: a file, a folder, or - for standard input')
    .argument('<after>', 'manifests after the change')
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json', 'markdown', 'html']).default('text'))
    .option(
      '--path <path>',
      'compare only this path inside both folders; can be repeated; it may be missing on one side',
      collectPath,
    )
    .addOption(failOnOption('new finding'));
  addCostOptions(addSettleOptions(addRootOptions(addAcceptOptions(addSharedOptions(command)))), ' (default: workload)')
    .addHelpText('after', HELP)
    .action(async (before: string, after: string) => setExitCode(await diff(before, after, command, io)));
}

function collectPath(path: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, path];
}

async function diff(before: string, after: string, command: Command, io: Io): Promise<number> {
  const { validation } = lazy;
  const [pathsBefore, pathsAfter] = pathsOf(before, after, command.opts<DiffFlags>().path);
  const file = findConstructsFile(pathsAfter.length === 0 || after === STDIN ? [before] : pathsAfter);
  applyDefaultFlags(file, command);
  const flags: DiffFlags = command.opts();
  if (before === STDIN && after === STDIN)
    throw new UsageError(
      '<after>: standard input already contains the manifests before the change; name a file or folder',
    );
  const cluster = await clusterOptions(flags, [...pathsBefore, ...pathsAfter], io);
  const options = {
    ...checkOptionsFromFlags(flags, io),
    ...cluster,
    costBy: flags.costBy,
    settle: settleOptions(flags),
    onProgress: io.onProgress,
  };
  const acknowledge = acknowledgeOptions(file, flags);
  const [filesBefore, filesAfter] = [await readSourceFiles(pathsBefore, io), await readSourceFiles(pathsAfter, io)];
  const compareOptions = { ...options, acknowledge, mayBeEmpty: flags.path !== undefined || flags.root !== undefined };
  const divided = dividedSides({ path: before, files: filesBefore }, { path: after, files: filesAfter }, flags);
  if (divided.pairs) return diffRoots(divided.pairs, compareOptions, flags, io);
  const compared = validation.compare(divided.before, divided.after, compareOptions);
  const unreadable = unreadableIn(compared);
  for (const finding of unreadable) io.writeError(describeProblem(finding));
  if (unreadable.length > 0) return EXIT.unusable;
  const difference = { ...compared.difference, assumptions: [...divided.notes, ...compared.difference.assumptions] };
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderDifferenceJson(difference));
  else if (flags.format === 'html')
    writeResult(io, flags.output, validation.renderDifferenceHtml(difference, validation.RULES));
  else if (flags.format === 'markdown') writeResult(io, flags.output, validation.renderDifferenceMarkdown(difference));
  else writeText(io, flags.output, validation.renderDifferenceText(difference, textOptions(io, flags.output)));
  return exitCodeOf(difference.findings.added, flags);
}

/** @throws UsageError if a path is on neither side, which would hide a typo */
function pathsOf(
  before: string,
  after: string,
  inside: readonly string[] | undefined,
): [before: string[], after: string[]] {
  if (inside === undefined) return [[before], [after]];
  if (before === STDIN || after === STDIN)
    throw new UsageError('--path: standard input has no paths; name two folders');
  for (const folder of [before, after])
    if (!existsSync(folder)) throw new UsageError(`${folder}: no such file or folder`);
  const missing = inside.find((path) => ![before, after].some((folder) => existsSync(join(folder, path))));
  if (missing !== undefined) throw new UsageError(`--path: ${quoted(missing)} is neither in ${before} nor in ${after}`);
  const existing = (folder: string) => inside.map((path) => join(folder, path)).filter((path) => existsSync(path));
  return [existing(before), existing(after)];
}
