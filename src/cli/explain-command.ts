import { Command, Option } from 'commander';
import type { Explanations } from '../validation';
import { describeProblem, isClusterUnread } from './input-problem';
import { EXIT, Io, UsageError } from './io';
import { lazy } from './lazy';
import { isColored, writeResult, writeText } from './output';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from './shared-options';
import { readSourceFiles } from './source-files';

interface ExplainFlags extends SharedFlags {
  readonly format: 'text' | 'json';
  readonly pod: readonly string[];
}

const HELP = `
A pod is named <namespace>/<name>, and the pods of a workload
<workload>-<ordinal>, from 0. The name of a workload means all of its pods,
a * any text, and a name without a namespace is looked for in all of them.
Pods of a workload that met with the same are told once.

For each pod: the planned node that it joins, or the NodePools in the order in
which Karpenter asks them; what each constraint leaves of the instance types,
from the whole catalogue on; what became of the node. Where a pod fits
nowhere: Karpenter's own words, what really stands in the way, and the
smallest change with which it fits.

Examples:
  karpenter-constructs explain manifests/ --pod shop/web-3
  karpenter-constructs explain manifests/ --pod web
  karpenter-constructs explain pool.yaml web.yaml --pod 'shop/*' --format json`;

export function addExplainCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('explain')
    .description('How a pod comes to its node, step by step, or why it has none.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .requiredOption('--pod <name>', 'pod, workload or pattern to explain; may be given more than once', collect)
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'));
  addSharedOptions(command)
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: ExplainFlags) => setExitCode(await explain(paths, flags, io)));
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

async function explain(paths: readonly string[], flags: ExplainFlags, io: Io): Promise<number> {
  const { validation } = lazy;
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, paths, io) };
  const explanations = validation.explain(await readSourceFiles(paths, io), flags.pod, options);
  for (const problem of explanations.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(explanations.problems, options.cluster)) return EXIT.unusable;
  refuseUnknown(explanations);
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderExplanationsJson(explanations));
  else writeText(io, flags.output, validation.renderExplanationsText(explanations, { color: isColored(io, flags.output) }));
  return explanations.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** @throws UsageError for a name that means no pod */
function refuseUnknown({ unknown: [unknown] }: Explanations): void {
  if (unknown === undefined) return;
  const { pod, nearest, why } = unknown;
  if (why !== undefined) throw new UsageError(`--pod: ${why}, got ${JSON.stringify(pod)}; ${nearest.length === 0 ? 'name a workload with pods to place' : `write for example ${nearest[0]}`}`);
  const remedy = nearest.length === 0 ? 'pass the manifests of its workload' : `write ${nearest.join(' or ')}`;
  throw new UsageError(`--pod: there is no such pod or workload, got ${JSON.stringify(pod)}; ${remedy}`);
}
