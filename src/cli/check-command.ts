import { Command, Option } from 'commander';
import type { Played } from '../validation';
import { exitCodeOf, FailOnFlags, failOnOption } from './fail-on';
import { describeProblem, isClusterUnread } from './input-problem';
import { EXIT, Io, UsageError } from './io';
import { lazy } from './lazy';
import { expectMuchWork } from './optimising';
import { addScenarioOptions, ScenarioFlags, scenarioOptions } from './scenario-flags';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from './shared-options';
import { readSourceFiles } from './source-files';
import { checkFormat, VERDICT_FORMATS, VerdictFormat, writeVerdict } from './verdict-output';

interface CheckFlags extends SharedFlags, ScenarioFlags, FailOnFlags {
  readonly format: VerdictFormat;
  readonly explain?: boolean;
}

const HELP = `
In folders, files that end in .yaml, .yml or .json are read, also in folders
below; not in hidden ones, nor in node_modules. Of a folder that CDK has
written, the CloudFormation templates are read, and the manifests in them
judged.

With --cluster, pods are put on the nodes that are there first, and of each
workload only the pods that it has not got yet.

Examples:
  karpenter-constructs check manifests/
  karpenter-constructs check manifests/ --explain
  karpenter-constructs check manifests/ --scenario drift
  karpenter-constructs check manifests/ --scenario all
  karpenter-constructs check manifests/ --scenario zone-outage,spot-interruption
  karpenter-constructs check manifests/ --scenario drift --times nodeStart=90s,podStart=2m --at 2026-01-05T02:00Z
  karpenter-constructs check pool.yaml class.yaml web.yaml --region ap-northeast-2 --zones ap-northeast-2a,ap-northeast-2c
  kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses,pods,daemonsets,poddisruptionbudgets,csinodes,pvc,pv,storageclasses,namespaces -A -o yaml > cluster.yaml
  karpenter-constructs check web.yaml --cluster cluster.yaml
  karpenter-constructs check manifests/ --karpenter-version 1.8
  kubectl get crd -o yaml > crds.yaml && karpenter-constructs check manifests/ --crds crds.yaml
  kubectl kustomize overlays/production | karpenter-constructs check - --fail-on warning
  karpenter-constructs check manifests/ --scenario drift --format html --output report.html
  karpenter-constructs check manifests/ --format sarif --output karpenter.sarif
  karpenter-constructs check manifests/ --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export function addCheckCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('check')
    .description('Which pods fit, on which nodes, at what cost, and which known mistakes are in the manifests.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input');
  addScenarioOptions(addSharedOptions(command)
    .addOption(new Option('--format <format>', 'how to print the verdict: sarif has the findings alone, for code scanning').choices([...VERDICT_FORMATS]).default('text'))
    .option('--explain', 'tell how the pods of each workload come to their nodes, too')
    .addOption(failOnOption('finding')))
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: CheckFlags) => setExitCode(await check(paths, flags, io)));
}

async function check(paths: readonly string[], flags: CheckFlags, io: Io): Promise<number> {
  const { validation } = lazy;
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, paths, io) };
  const ofScenario = scenarioOptions(flags);
  checkFormat(flags);
  const sources = await readSourceFiles(paths, io);
  const verdict = validation.check(sources, { ...options, explain: flags.explain });
  const played = flags.scenario && play(sources, flags.scenario, options, ofScenario);
  const unusable = verdict.findings.filter(({ rule, severity }) => rule === validation.UNREADABLE_INPUT && severity === 'error');
  if (!isClusterUnread(unusable, options.cluster)) writeVerdict({ verdict, played, isPartial: unusable.length > 0 }, flags, io);
  for (const finding of unusable) io.writeError(describeProblem(finding));
  if (unusable.length > 0) return EXIT.unusable;
  return exitCodeOf(verdict.findings, flags);
}

/** @throws UsageError where there is nothing of the name that --of says */
function play(...given: Parameters<typeof lazy.validation.playScenarios>): Played {
  expectMuchWork();
  try {
    return lazy.validation.playScenarios(...given);
  } catch (error) {
    if (error instanceof lazy.validation.UnknownTargetError) throw new UsageError(`--of: ${error.message}`);
    throw error;
  }
}
