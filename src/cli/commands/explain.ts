import { Command } from 'commander';
import { printNodeExplanations } from './explain-nodes';
import { explainRoots } from './explain-roots';
import { listText } from '../../model';
import type { Explanations } from '../../validation';
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
import { choiceOption, quoted } from '../options/choice-option';
import { addRootOptions, RootFlags } from '../options/root-options';
import { addSharedOptions, checkOptionsFromFlags, clusterOptions, SharedFlags } from '../options/shared-options';
import { textOptions, writeResult, writeText } from '../output/output';

interface ExplainFlags extends SharedFlags, AcknowledgeFlags, RootFlags {
  readonly format: 'text' | 'json';
  readonly pod?: readonly string[];
  readonly node?: readonly string[];
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
Findings about the pods that annotations, karpenter-constructs.yaml or
--baseline acknowledge are listed at the end.

For a node, consolidation is simulated as by check --scenario consolidation.
If the node stays, the result shows Karpenter's event, the reason in plain
words, and the smallest change that frees it.

A repository is divided into roots as check does. A pod is explained in each
root that has it; --root chooses one.

Examples:
  karpenter-constructs explain manifests/ --pod shop/web-3
  karpenter-constructs explain manifests/ --pod web
  karpenter-constructs explain manifests/ --cluster cluster.yaml --node ip-10-0-1-7.ec2.internal
  karpenter-constructs explain . --root overlays/prod --pod web
  karpenter-constructs explain pool.yaml web.yaml --pod 'shop/*' --format json`;

export function addExplainCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program
    .command('explain')
    .description('Explains step by step how a pod gets its node, or why it has none; or why a node stays.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .option('--pod <name>', 'pod, workload or pattern to explain; can be repeated', collect)
    .option(
      '--node <name>',
      'node or pattern: why consolidation leaves it, and what frees it; can be repeated',
      collect,
    )
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json']).default('text'));
  addRootOptions(addAcceptOptions(addSharedOptions(command)))
    .addHelpText('after', HELP)
    .action(async (paths: string[]) => setExitCode(await explain(paths, command, io)));
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

async function explain(paths: readonly string[], command: Command, io: Io): Promise<number> {
  const { validation } = lazy;
  const file = findConstructsFile(paths);
  applyDefaultFlags(file, command);
  const flags: ExplainFlags = command.opts();
  const { pod: pods, node: nodes } = flags;
  if ((pods === undefined) === (nodes === undefined))
    throw new UsageError(
      pods === undefined
        ? 'nothing to explain; name a pod with --pod, or a node with --node'
        : 'explain either pods or nodes: drop --pod or --node',
    );
  const acknowledge = acknowledgeOptions(file, flags);
  const shared = {
    ...checkOptionsFromFlags(flags, io),
    ...(await clusterOptions(flags, paths, io)),
    onProgress: io.onProgress,
  };
  const options = { ...shared, acknowledge, settle: {} };
  const divided = dividedFiles(await readSourceFiles(paths, io), flags);
  if (nodes) return printNodeExplanations(divided, options, { ...flags, node: nodes }, io);
  const named = { ...flags, pod: pods! };
  if (divided.roots) return explainRoots(divided.roots, options, named, io, ([unknown]) => rejectUnknownPod(unknown));
  const result = validation.explain(divided.sources, named.pod, options);
  const explanations = { ...result, assumptions: [...divided.notes, ...result.assumptions] };
  for (const problem of explanations.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(explanations.problems, options.cluster)) return EXIT.unusable;
  rejectUnknownPod(explanations.unknownPods[0]);
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderExplanationsJson(explanations));
  else writeText(io, flags.output, validation.renderExplanationsText(explanations, textOptions(io, flags.output)));
  return explanations.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** @throws UsageError if there is a name that selects no pod */
function rejectUnknownPod(unknownPod: Explanations['unknownPods'][number] | undefined): void {
  if (unknownPod === undefined) return;
  const { pod, nearest, why } = unknownPod;
  const names = listText(nearest.map(quoted), 'or');
  if (why !== undefined)
    throw new UsageError(
      `--pod: ${quoted(pod)} has no pod to explain, because ${why}; name another workload${nearest.length === 0 ? '' : `, such as ${names}`}`,
    );
  throw new UsageError(
    `--pod: no pod or workload is called ${quoted(pod)}; ${nearest.length === 0 ? 'pass the manifests of its workload' : `did you mean ${names}?`}`,
  );
}
