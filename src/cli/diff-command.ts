import { Command, Option } from 'commander';
import { exitCodeOf, FailOnFlags, failOnOption } from './fail-on';
import { describeProblem } from './input-problem';
import { EXIT, Io, UsageError } from './io';
import { lazy } from './lazy';
import { isColored, writeResult, writeText } from './output';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from './shared-options';
import { readSourceFiles, STDIN } from './source-files';

interface DiffFlags extends SharedFlags, FailOnFlags {
  readonly format: 'text' | 'json' | 'markdown';
}

const HELP = `
Both are read as check reads its paths, and by the same options. Told are: new
nodes and what they cost; what is written otherwise; what NodePools can launch
that they could not, and the other way about; which nodes drift once the
change is applied, by which field, and how many may go at a time; pods that
have no node any more, and why; findings that are new, and those that are
gone. A finding is the same where rule, severity, object and field are.

Nodes that drift are those of --cluster, or without one those that are planned
by the manifests before. How their roll goes is played by
check <after> --cluster … --scenario drift.

The exit code is that of new findings alone.

Examples:
  karpenter-constructs diff before/ after/
  git worktree add /tmp/main main && karpenter-constructs diff /tmp/main/manifests manifests
  kustomize build overlays/prod | karpenter-constructs diff prod.yaml -
  karpenter-constructs diff before/ after/ --cluster cluster.yaml --format json
  karpenter-constructs diff before/ after/ --format markdown > comment.md`;

export function addDiffCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('diff')
    .description('What a change of manifests does: to nodes, cost, pods and findings, and which nodes drift by it.')
    .argument('<before>', 'manifests as they are: a file, a folder, or - for standard input')
    .argument('<after>', 'manifests as they will be')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json', 'markdown']).default('text'))
    .addOption(failOnOption('new finding'));
  addSharedOptions(command)
    .addHelpText('after', HELP)
    .action(async (before: string, after: string, flags: DiffFlags) => setExitCode(await diff(before, after, flags, io)));
}

async function diff(before: string, after: string, flags: DiffFlags, io: Io): Promise<number> {
  const { validation } = lazy;
  if (before === STDIN && after === STDIN) throw new UsageError('<after>: standard input holds the manifests before already, got "-"; name a file or folder');
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, [before, after], io) };
  const compared = validation.compare(await readSourceFiles([before], io), await readSourceFiles([after], io), options);
  const unusable = [compared.before, compared.after].flatMap(({ findings }) => findings)
    .filter(({ rule, severity }) => rule === validation.UNREADABLE_INPUT && severity === 'error');
  // Half of it would read as a change that nobody makes.
  for (const finding of unusable) io.writeError(describeProblem(finding));
  if (unusable.length > 0) return EXIT.unusable;
  const { difference } = compared;
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderDifferenceJson(difference));
  else if (flags.format === 'markdown') writeResult(io, flags.output, validation.renderDifferenceMarkdown(difference));
  else writeText(io, flags.output, validation.renderDifferenceText(difference, { color: isColored(io, flags.output) }));
  return exitCodeOf(difference.findings.added, flags);
}
