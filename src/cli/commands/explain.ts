import { Command } from 'commander';
import type { Explanations } from '../../validation';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted } from '../options/choice-option';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from '../options/shared-options';
import { isColored, writeResult, writeText } from '../output/output';

interface ExplainFlags extends SharedFlags {
  readonly format: 'text' | 'json';
  readonly pod: readonly string[];
}

const HELP = `
The name of a pod is <namespace>/<name>; pods of a workload are named
<workload>-<ordinal>, from 0. The name of a workload selects all its pods, and
* matches any text. A name without a namespace is searched in all namespaces.
Pods of a workload that are scheduled the same way are explained once.

For each pod, the result shows the planned node that it joins, or the
NodePools in the order in which Karpenter tries them, with the instance types
that are left after each constraint. If a pod fits nowhere, it shows
Karpenter's message, the actual obstacle, and the smallest change that helps.

Examples:
  karpenter-constructs explain manifests/ --pod shop/web-3
  karpenter-constructs explain manifests/ --pod web
  karpenter-constructs explain pool.yaml web.yaml --pod 'shop/*' --format json`;

export function addExplainCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('explain')
    .description('Explains step by step how a pod gets its node, or why it has none.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .requiredOption('--pod <name>', 'pod, workload or pattern to explain; can be repeated', collect)
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json']).default('text'));
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
  rejectUnknownPod(explanations);
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderExplanationsJson(explanations));
  else writeText(io, flags.output, validation.renderExplanationsText(explanations, { color: isColored(io, flags.output) }));
  return explanations.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** @throws UsageError if a name selects no pod */
function rejectUnknownPod({ unknownPods: [unknownPod] }: Explanations): void {
  if (unknownPod === undefined) return;
  const { pod, nearest, why } = unknownPod;
  const names = nearest.map(quoted).join(' or ');
  if (why !== undefined) throw new UsageError(`--pod: ${quoted(pod)} has no pod to explain, because ${why}; name another workload${nearest.length === 0 ? '' : `, such as ${names}`}`);
  throw new UsageError(`--pod: no pod or workload is called ${quoted(pod)}; ${nearest.length === 0 ? 'pass the manifests of its workload' : `did you mean ${names}?`}`);
}
