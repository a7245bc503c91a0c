import { normalize } from 'path';
import { Command, Option } from 'commander';
import { checkRoots } from './check-roots';
import { printPolicyComparison } from './compare-policies';
import { printRegionComparison } from './compare-regions';
import { diffOfFixes, fixInPlace, addFixOptions, FixFlags, requireFixable } from './fix';
import { originOfOnly } from './recommend-roots';
import { countText } from '../../model';
import type { CheckOptions, Finding, ScenarioResult, SourceFile, Verdict } from '../../validation';
import { findConstructsFile } from '../input/constructs-file';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { chooseRoot, dividedFiles, renderedRoots, shortRootNames } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import {
  acknowledgeOptions,
  AcknowledgeFlags,
  addAcknowledgeOptions,
  applyDefaultFlags,
  writeBaseline,
} from '../options/acknowledge-options';
import { choiceOption } from '../options/choice-option';
import { addCostOptions, CostFlags } from '../options/cost-options';
import { exitCodeOf, FailOnFlags, failOnOption } from '../options/fail-on';
import { addPolicyOptions, checkPolicyFlags, PolicyFlags } from '../options/policy-options';
import { addRootOptions, RootFlags } from '../options/root-options';
import { addScenarioOptions, ScenarioFlags, scenarioOptions } from '../options/scenario-options';
import { addSettleOptions, SettleFlags, settleOptions } from '../options/settle-options';
import {
  addSharedOptions,
  checkOptionsFromFlags,
  clusterOptions,
  parseRegions,
  SharedFlags,
} from '../options/shared-options';
import { isOutput, requireWatchable, watchedPaths, WatchFlags } from '../options/watch-option';
import { writeErrorLine, writeResult } from '../output/output';
import {
  checkFormat,
  costByOf,
  VERDICT_FORMATS,
  VerdictFormat,
  verdictText,
  writeVerdict,
} from '../output/verdict-output';
import { expectMuchWork } from '../v8-tuning';
import { takeSnapshot, watchFiles } from '../watch';

interface CheckFlags
  extends SharedFlags,
    ScenarioFlags,
    FailOnFlags,
    AcknowledgeFlags,
    FixFlags,
    WatchFlags,
    RootFlags,
    CostFlags,
    PolicyFlags,
    Omit<SettleFlags, 'times'> {
  readonly format: VerdictFormat;
  readonly explain?: boolean;
  readonly each?: boolean;
  readonly compareRegions?: readonly string[];
  readonly verbose?: boolean;
}

const HELP = `
Folders are searched recursively for .yaml, .yml and .json files, and for
manifests in Terraform files and templates, except hidden folders,
node_modules, testdata and what .gitignore names. Files that are no Kubernetes
objects are ignored. In a folder written by CDK, the
CloudFormation templates and the manifests in them are read. A plan of
Terraform is read from the output of terraform show -json.

In a repository, each kustomization that no other one uses, each Helm chart,
and the other manifests are roots: they are deployed, and judged, separately.
Kustomizations are built, by kustomize or kubectl if they have more than is
read here; charts are rendered if helm is installed. These programs get a clean
environment and no network, except with --allow-network. If Argo CD or Flux
deploy to several clusters, each cluster is a root. --root chooses one of them.

karpenter-constructs.yaml, in the folder of the first path or above it, has
acknowledged findings (rule, subject, reason, until), severities and default
flags.

With --cluster, pods are scheduled to the existing nodes first. Only pods that
a workload does not have in the cluster yet are scheduled.

Examples:
  karpenter-constructs check manifests/
  karpenter-constructs check manifests/ --explain
  karpenter-constructs check manifests/ --first-pass
  karpenter-constructs check manifests/ --order file-by-file --interval 10s
  karpenter-constructs check manifests/ --watch
  karpenter-constructs check manifests/ --scenario drift
  karpenter-constructs check manifests/ --scenario all
  karpenter-constructs check manifests/ --scenario zone-outage,spot-interruption
  karpenter-constructs check manifests/ --scenario drift --times nodeStart=90s,podStart=2m --at 2026-01-05T02:00Z
  karpenter-constructs check pool.yaml class.yaml web.yaml --region ap-northeast-2 --zones ap-northeast-2a,ap-northeast-2c
  kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses,pods,daemonsets,poddisruptionbudgets,csinodes,pvc,pv,storageclasses,namespaces -A -o yaml > cluster.yaml
  karpenter-constructs check web.yaml --cluster cluster.yaml
  karpenter-constructs check manifests/ --compare-regions eu-west-1,eu-central-1
  karpenter-constructs check manifests/ --compare-policies
  karpenter-constructs check manifests/ --compare-policies --load replicas.json --job-duration 15m,batch/report=1h
  karpenter-constructs check manifests/ --karpenter-version 1.8
  kubectl get crd -o yaml > crds.yaml && karpenter-constructs check manifests/ --crds crds.yaml
  kubectl kustomize overlays/production | karpenter-constructs check - --fail-on warning
  terraform show -json plan.out > plan.json && karpenter-constructs check plan.json manifests/
  karpenter-constructs check manifests/ --scenario drift --format html --output report.html
  karpenter-constructs check manifests/ --format sarif --output karpenter.sarif
  karpenter-constructs check manifests/ --cost-by label:team
  karpenter-constructs check manifests/ --cost-by namespace --format opencost-csv --output costs.csv
  karpenter-constructs check manifests/ --fix --dry-run
  karpenter-constructs check manifests/ --fix
  karpenter-constructs check manifests/ --write-baseline baseline.json
  karpenter-constructs check manifests/ --baseline baseline.json
  karpenter-constructs check manifests/ --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export function addCheckCommand(
  program: Command,
  io: Io,
  setExitCode: (code: number) => void,
  runAgain: () => Promise<number>,
): void {
  const command = program
    .command('check')
    .description('Shows which pods fit, on which nodes, at what cost, and which known mistakes the manifests contain.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input');
  addScenarioOptions(
    addPolicyOptions(
      addCostOptions(addSettleOptions(addRootOptions(addFixOptions(addAcknowledgeOptions(addSharedOptions(command)))))),
    )
      .addOption(
        choiceOption(
          '--format <format>',
          'output format; sarif (code scanning), unix (a line for each finding) and codequality (GitLab) contain only findings, opencost and opencost-csv only costs',
          VERDICT_FORMATS,
        ).default('text'),
      )
      .addOption(
        choiceOption('--schema <version>', 'schema version of --format json', ['1', '2'] as const).default('2'),
      )
      .option('--explain', "also explain the placement of each workload's pods")
      .addOption(
        new Option(
          '--compare-regions <regions>',
          'nodes and monthly cost of the same manifests in several regions, for example eu-west-1,eu-central-1',
        ).argParser(parseRegions),
      )
      .option('--each', 'with several roots: print the whole verdict of each, instead of a table')
      .option('--verbose', 'print all details instead of a summary, and to standard error how many files are skipped')
      .option('--watch', 'check again whenever a file changes, of the manifests or of an option, until Ctrl-C')
      .addOption(failOnOption('finding', 'unevaluated')),
  )
    .addHelpText('after', HELP)
    .action(async (paths: string[]) => {
      const { watch } = command.opts<CheckFlags>();
      setExitCode(await (watch ? checkAgain(paths, command, io, runAgain) : check(paths, command, io)));
    });
}

/** Checks once, and again after each change. Every run reads all files and options again. */
async function checkAgain(
  paths: readonly string[],
  command: Command,
  io: Io,
  runAgain: () => Promise<number>,
): Promise<number> {
  const flags: CheckFlags = command.opts();
  requireWatchable(flags, paths);
  const snapshot = () => takeSnapshot(watchedPaths(flags, paths), (file) => isOutput(flags, file));
  return watchFiles({ takeSnapshot: snapshot, run: runAgain }, io);
}

async function check(paths: readonly string[], command: Command, io: Io): Promise<number> {
  const { validation } = lazy;
  const file = findConstructsFile(paths);
  applyDefaultFlags(file, command);
  const flags: CheckFlags = command.opts();
  const options = {
    ...checkOptionsFromFlags(flags, io),
    ...(await clusterOptions(flags, paths, io)),
    costBy: costByOf(flags),
    searchesFleet: flags.costBy !== undefined,
    onProgress: io.onProgress,
  };
  checkPolicyFlags(flags);
  const simulation = scenarioOptions(flags);
  const settle = settleOptions(flags);
  checkFormat(flags);
  requireFixable(flags, paths);
  const acknowledge = acknowledgeOptions(file, flags);
  const given = await readSourceFiles(paths, io, flags.verbose);
  const findings = (sources: readonly SourceFile[]) => findingsIn(sources, given, flags, { ...options, acknowledge });
  if (flags.dryRun) {
    const diff = diffOfFixes(given, findings);
    writeResult(io, flags.output, diff);
    return diff === '' ? EXIT.ok : EXIT.findings;
  }
  const files = flags.fix ? fixInPlace(given, findings, io) : given;
  const divided = dividedFiles(files, flags);
  if (divided.roots) {
    const { roots } = divided;
    const ofOneRoot = comparisonOf(flags) ?? (options.costBy && '--cost-by');
    if (ofOneRoot !== undefined && roots.length > 1)
      throw new UsageError(
        `${ofOneRoot}: the input has ${countText(roots.length, 'root')}; ${chooseRoot(shortRootNames(roots))}`,
      );
    return checkRoots(roots, { ...options, acknowledge, explain: flags.explain, settle }, flags, io, simulation);
  }
  const { sources, notes } = divided;
  const { compareRegions: regions } = flags;
  if (regions !== undefined)
    return printRegionComparison(
      sources,
      { ...options, acknowledge, settle },
      { ...flags, compareRegions: regions },
      io,
    );
  if (flags.comparePolicies) return printPolicyComparison(sources, options, flags, io);
  const { session, verdict: result } = validation.checkedSession(sources, {
    ...options,
    acknowledge,
    explain: flags.explain,
    settle,
  });
  const cheaper = showsCheaper(flags)
    ? validation.cheaperNodePool(session, result, originOfOnly(files, flags))
    : undefined;
  const verdict = validation.withCheaper({ ...result, assumptions: [...notes, ...result.assumptions] }, cheaper);
  const unreadable = verdict.findings.filter(
    ({ rule, severity }) => rule === validation.UNREADABLE_INPUT && severity === 'error',
  );
  const isClusterLost = isClusterUnread(unreadable, options.cluster);
  const isPartial = unreadable.length > 0;
  const keepPartial = (scenarios?: () => ScenarioResult) =>
    io.keepPartialResult?.(() => ({
      file: flags.output,
      text: verdictText({ verdict, scenarios: scenarios?.(), isPartial }, flags, io),
    }));
  if (flags.scenario && !isClusterLost) keepPartial();
  const isBroken = unreadable.some(validation.isInternalError);
  const scenarios =
    flags.scenario && !isBroken ? simulate(session, flags.scenario, simulation, keepPartial) : undefined;
  // The input can be read if kustomize refuses to build it: this is a finding about it.
  const isRefused = sources.some((source) => source.unreadable?.isRefused);
  const isUnusable = isClusterLost || (unreadable.length > 0 && !isBroken && !isRefused && isNothingJudged(verdict));
  // A person gets the reason once, below. A program gets its document.
  const isReasonEnough = isClusterLost || (isUnusable && flags.format === 'text' && flags.output === undefined);
  const calendars = flags.format === 'html' && !isBroken ? validation.budgetCalendars(session) : undefined;
  if (!isReasonEnough) writeVerdict({ verdict, scenarios, calendars, isPartial }, flags, io);
  if (!isUnusable) {
    const isStopped = scenarios?.reports.some(({ stopped }) => stopped) === true;
    const code = exitCodeOf(verdict.findings, flags, verdict.notEvaluated.length);
    if (flags.writeBaseline === undefined) return code === EXIT.ok && isStopped ? EXIT.findings : code;
    writeBaseline(flags.writeBaseline, [verdict], io);
    return EXIT.ok;
  }
  for (const finding of unreadable) io.writeError(describeProblem(finding));
  if (isReasonEnough) for (const note of notes) writeErrorLine(io, `note: ${note}`);
  return EXIT.unusable;
}

/** Findings alone need no search, and one root of several may share its NodePools. */
function showsCheaper({ format, root }: CheckFlags): boolean {
  return ['text', 'json', 'html', 'markdown'].includes(format) && root === undefined;
}

/** The option that compares, if one is given. */
function comparisonOf({ compareRegions: regions, comparePolicies: policies }: CheckFlags): string | undefined {
  return regions !== undefined ? '--compare-regions' : policies ? '--compare-policies' : undefined;
}

/**
 * The findings of all roots.
 *
 * @param given the files as they are on the disk
 */
function findingsIn(
  files: readonly SourceFile[],
  given: readonly SourceFile[],
  flags: RootFlags,
  options: CheckOptions,
): Finding[] {
  const before = new Map(given.map(({ path, text }) => [path, text]));
  const changed = files.filter(({ path, text }) => before.get(path) !== text);
  const texts = new Map(changed.map(({ path, text }) => [normalize(path), text]));
  return renderedRoots(files, { ...flags, kustomize: false, changed: texts })
    .filter(({ skipped }) => skipped === undefined)
    .flatMap(({ sources }) => lazy.validation.check(sources, options).findings);
}

/** Whether the input had no object that was judged. Then there is no verdict, only a reason. */
function isNothingJudged({ summary, nodePools, findings }: Verdict): boolean {
  return (
    summary.pods === 0 &&
    nodePools.length === 0 &&
    findings.every(({ rule }) => rule === lazy.validation.UNREADABLE_INPUT)
  );
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
