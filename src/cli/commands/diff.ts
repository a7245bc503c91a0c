import { Command } from 'commander';
import { describeProblem } from '../input/input-problem';
import { readSourceFiles, STDIN } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption } from '../options/choice-option';
import { exitCodeOf, FailOnFlags, failOnOption } from '../options/fail-on';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from '../options/shared-options';
import { isColored, writeResult, writeText } from '../output/output';

interface DiffFlags extends SharedFlags, FailOnFlags {
  readonly format: 'text' | 'json' | 'markdown';
}

const HELP = `
Both sides are read like the paths of check, with the same options. The result
shows the change of nodes and cost, changed objects, what NodePools can launch
now, nodes that drift and how many at a time, pods that no longer fit, and new
and resolved findings. Two findings are equal if they have the same rule,
severity, object and field.

Without --cluster, the nodes that drift are those planned from the manifests
before. To simulate how they are replaced, run
check <after> --cluster … --scenario drift.

The exit code depends on new findings only.

Examples:
  karpenter-constructs diff before/ after/
  git worktree add /tmp/main main && karpenter-constructs diff /tmp/main/manifests manifests
  kustomize build overlays/prod | karpenter-constructs diff prod.yaml -
  karpenter-constructs diff before/ after/ --cluster cluster.yaml --format json
  karpenter-constructs diff before/ after/ --format markdown > comment.md`;

export function addDiffCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('diff')
    .description('Shows the effect of a change of manifests on nodes, cost, pods and findings, and which nodes drift.')
    .argument('<before>', 'manifests before the change: a file, a folder, or - for standard input')
    .argument('<after>', 'manifests after the change')
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json', 'markdown']).default('text'))
    .addOption(failOnOption('new finding'));
  addSharedOptions(command)
    .addHelpText('after', HELP)
    .action(async (before: string, after: string, flags: DiffFlags) => setExitCode(await diff(before, after, flags, io)));
}

async function diff(before: string, after: string, flags: DiffFlags, io: Io): Promise<number> {
  const { validation } = lazy;
  if (before === STDIN && after === STDIN) throw new UsageError('<after>: standard input already contains the manifests before the change; name a file or folder');
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, [before, after], io) };
  const compared = validation.compare(await readSourceFiles([before], io), await readSourceFiles([after], io), options);
  const unreadable = [compared.before, compared.after].flatMap(({ findings }) => findings)
    .filter(({ rule, severity }) => rule === validation.UNREADABLE_INPUT && severity === 'error');
  // Unreadable input on one side would look like a change.
  for (const finding of unreadable) io.writeError(describeProblem(finding));
  if (unreadable.length > 0) return EXIT.unusable;
  const { difference } = compared;
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderDifferenceJson(difference));
  else if (flags.format === 'markdown') writeResult(io, flags.output, validation.renderDifferenceMarkdown(difference));
  else writeText(io, flags.output, validation.renderDifferenceText(difference, { color: isColored(io, flags.output) }));
  return exitCodeOf(difference.findings.added, flags);
}
