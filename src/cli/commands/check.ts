import { Command } from 'commander';
import { checkRoots } from './check-roots';
import type { ScenarioResult, Verdict } from '../../validation';
import { findConstructsFile } from '../input/constructs-file';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { renderedRoots } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { acknowledgeOptions, AcknowledgeFlags, addAcknowledgeOptions, applyDefaultFlags, writeBaseline } from '../options/acknowledge-options';
import { choiceOption } from '../options/choice-option';
import { exitCodeOf, FailOnFlags, failOnOption } from '../options/fail-on';
import { addScenarioOptions, ScenarioFlags, scenarioOptions } from '../options/scenario-options';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from '../options/shared-options';
import { checkFormat, VERDICT_FORMATS, VerdictFormat, writeVerdict } from '../output/verdict-output';
import { expectMuchWork } from '../v8-tuning';

interface CheckFlags extends SharedFlags, ScenarioFlags, FailOnFlags, AcknowledgeFlags {
  readonly format: VerdictFormat;
  readonly explain?: boolean;
  readonly each?: boolean;
  readonly helm: boolean;
}

const HELP = `
Folders are searched recursively for .yaml, .yml and .json files, except
hidden folders, node_modules, testdata and what .gitignore names. Files that
are no Kubernetes objects are ignored. In a folder written by CDK, the
CloudFormation templates and the manifests in them are read.

In a repository, each kustomization that no other one uses, each Helm chart,
and the other manifests are roots: they are deployed, and judged, separately.
Kustomizations are built; charts are rendered if helm is installed.

karpenter-constructs.yaml, in the folder of the first path or above it, has
acknowledged findings (rule, subject, reason, until), severities and default
flags.

With --cluster, pods are scheduled to the existing nodes first. Only pods that
a workload does not have in the cluster yet are scheduled.

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
  karpenter-constructs check manifests/ --write-baseline baseline.json
  karpenter-constructs check manifests/ --baseline baseline.json
  karpenter-constructs check manifests/ --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export function addCheckCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('check')
    .description('Shows which pods fit, on which nodes, at what cost, and which known mistakes the manifests contain.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input');
  addScenarioOptions(addAcknowledgeOptions(addSharedOptions(command))
    .addOption(choiceOption('--format <format>', 'output format; sarif contains only findings, for code scanning', VERDICT_FORMATS).default('text'))
    .option('--explain', 'also explain the placement of each workload\'s pods')
    .option('--each', 'with several roots: print the whole verdict of each, instead of a table')
    .option('--no-helm', 'do not render Helm charts with the helm of this machine')
    .addOption(failOnOption('finding', 'unevaluated')))
    .addHelpText('after', HELP)
    .action(async (paths: string[]) => setExitCode(await check(paths, command, io)));
}

async function check(paths: readonly string[], command: Command, io: Io): Promise<number> {
  const { validation } = lazy;
  const file = findConstructsFile(paths);
  applyDefaultFlags(file, command);
  const flags: CheckFlags = command.opts();
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, paths, io) };
  const simulation = scenarioOptions(flags);
  checkFormat(flags);
  const acknowledge = acknowledgeOptions(file, flags);
  const files = await readSourceFiles(paths, io);
  const roots = renderedRoots(files, flags.helm);
  const [root] = roots;
  if (roots.length > 1 || root?.skipped !== undefined) return checkRoots(roots, { ...options, acknowledge, explain: flags.explain }, flags, io);
  const sources = root?.sources ?? files;
  const result = validation.check(sources, { ...options, acknowledge, explain: flags.explain });
  const verdict = { ...result, assumptions: [...root?.notes ?? [], ...result.assumptions] };
  const scenarios = flags.scenario && simulate(sources, flags.scenario, options, simulation);
  const unreadable = verdict.findings.filter(({ rule, severity }) => rule === validation.UNREADABLE_INPUT && severity === 'error');
  const isClusterLost = isClusterUnread(unreadable, options.cluster);
  if (!isClusterLost) writeVerdict({ verdict, scenarios, isPartial: unreadable.length > 0 }, flags, io);
  if (!isClusterLost && !(unreadable.length > 0 && isNothingJudged(verdict))) {
    if (flags.writeBaseline === undefined) return exitCodeOf(verdict.findings, flags, verdict.notEvaluated.length);
    writeBaseline(flags.writeBaseline, [verdict], io);
    return EXIT.ok;
  }
  for (const finding of unreadable) io.writeError(describeProblem(finding));
  return EXIT.unusable;
}

/** Whether the input had no object that was judged. Then there is no verdict, only a reason. */
function isNothingJudged({ summary, nodePools, findings }: Verdict): boolean {
  return summary.pods === 0 && nodePools.length === 0 && findings.every(({ rule }) => rule === lazy.validation.UNREADABLE_INPUT);
}

/** @throws UsageError if the object of --of does not exist */
function simulate(...args: Parameters<typeof lazy.validation.simulateScenarios>): ScenarioResult {
  expectMuchWork();
  try {
    return lazy.validation.simulateScenarios(...args);
  } catch (error) {
    if (error instanceof lazy.validation.UnknownTargetError) throw new UsageError(`--of: ${error.message}`);
    throw error;
  }
}
