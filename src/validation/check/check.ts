import { countText } from '../../model';
import { acknowledgeFindings, severitySentences } from '../acknowledge';
import { planAsWritten, podsNotStarted } from './as-written';
import { CheckOptions } from '../check-options';
import { attachToCauses } from './attach-to-causes';
import { composeVerdict } from './compose-verdict';
import { CheckedSession, failedRuleFinding, guardedSession } from './internal-error';
import { withOneForEachList } from './list-entries';
import { withoutConsequences } from './one-cause';
import { withOneForEachPlace } from './one-place';
import { reportNoEvaluatedPods } from './pods-not-evaluated';
import { CheckSession, readSession, readSessions } from '../context/check-session';
import { installedControllers } from '../controller';
import { unreadFindings } from './charts/unread-findings';
import { withWrittenPlaces } from './charts/written-places';
import { withExcerpts } from './details/excerpts';
import { atTemplateArguments } from './details/template-arguments';
import { withExamplesLowered } from './example-collection';
import { withValueToGive } from './values-to-give';
import { isSparkTemplate, ManifestModel, ManifestObject, READING_RULES, SourceFile } from '../manifest';
import { RuleContext, RuleFinding, RULES } from '../rules';
import { RemedyTrials, remedyTrialsOf } from './remedies/remedy-trials';
import { additionOf, fixOf, withRenderedSource } from '../manifest/edit/fix-of';
import { readable } from '../template';
import { withoutConsequencesOfPatches } from './remedies/consequences-of-patches';
import { isForProduction, judge, JudgedFinding } from './remedies/judged-findings';
import { triedRemedies } from './remedies/tried-remedies';
import { Finding, Verdict } from '../vocabulary/verdict';

const NOTHING_TO_EVALUATE = 'nothing to evaluate';

/** Rule id of input that cannot be read. A command that finds it ends with exit code 2. */
export const UNREADABLE_INPUT = READING_RULES.unreadable.rule;

/**
 * Reads manifests, schedules their pods as Karpenter would, and runs all rules.
 *
 * @throws Error if an option has an invalid value; invalid manifests never throw, but become findings
 */
export function check(sources: readonly SourceFile[], given: CheckOptions = {}): Verdict {
  return checkedSession(sources, given).verdict;
}

/**
 * Like `check`, with the session for explanations and scenarios.
 *
 * @throws Error if an option has an invalid value
 */
export function checkedSession(sources: readonly SourceFile[], given: CheckOptions = {}): CheckedSession {
  return guardedSession(sources, given, (judged, options) => {
    const session = readSession(judged, options);
    return { session, verdict: checkSession(session) };
  });
}

/** The verdict for one cluster. Without `cluster`, no template applies manifests to a cluster. */
export interface ClusterVerdict {
  readonly cluster?: string;
  readonly verdict: Verdict;
}

/**
 * Like `check`, once for each cluster that the templates apply manifests to.
 *
 * @throws Error if an option has an invalid value
 */
export function checkClusters(sources: readonly SourceFile[], given: CheckOptions = {}): ClusterVerdict[] {
  return readSessions(sources, given).map(({ session, ...cluster }) => ({
    ...cluster,
    verdict: checkSession(session),
  }));
}

/** Like `check`, for manifests that are already read. */
export function checkSession(session: CheckSession): Verdict {
  const { sources, model, passes, options } = session;
  const trials = remedyTrialsOf(session);
  const { context } = trials;
  const isForDevelopment = sources.some((source) => source.isForDevelopment === true);
  const others = new Set(sources.filter(({ isOfOthers }) => isOfOthers).map(({ path }) => path));
  const judgements = judge(context, isForProduction(context, isForDevelopment), {
    onRule: (done) => options.onProgress?.({ task: 'checking rules', done, total: RULES.length }),
    others,
  });
  const isAccepted = (finding: JudgedFinding) =>
    acknowledgeFindings([findingOf(finding)], model.objects, options.acknowledge).acknowledged.length > 0;
  const causes = withoutConsequencesOfPatches(judgements.findings, trials, isAccepted);
  const unread = unreadFindings(sources, causes, trials);
  const explained = new Set(unread.flatMap((found) => found.explained));
  const judged = new Map(
    causes.filter((finding) => !explained.has(finding)).map((finding) => [findingOf(finding), finding]),
  );
  const notEvaluated = judgements.notEvaluated.map(
    ({ rule, outcome: { object, why } }) => `${rule.id}${NOT_EVALUATED}${nameOf(object)}: ${readable(why)}`,
  );
  for (const { error } of judgements.failed) options.onInternalError?.(error);
  const given = withoutSuperseded([
    ...judgements.failed.map(({ rule, error }) => failedRuleFinding(error, rule.id, sources)),
    ...model.problems,
    ...emptyInput(sources, context),
    ...unread.map(({ finding }) => finding),
    ...judged.keys(),
  ]);
  const leftOver = new Set(sources.filter(({ isLeftOver }) => isLeftOver).map(({ path }) => path));
  const findings = withTriedRemedies(given, judged, trials)
    .map((finding): Finding => (leftOver.has(finding.location.file) ? { ...finding, severity: 'info' } : finding))
    .map((finding) => withValueToGive(finding, sources));
  const all = [...withOneForEachList(withoutConsequences(findings)), ...reportNoEvaluatedPods(context, findings)];
  const uncaused = withExamplesLowered(all, model);
  const asWritten = planAsWritten(uncaused, context);
  const caused = attachToCauses(uncaused, context, asWritten?.waiting);
  const placed = withWrittenPlaces(caused, sources);
  const atArguments = atTemplateArguments(placed.findings, sources);
  const shown = withExcerpts(atArguments.findings, [...placed.files, ...atArguments.files, ...sources]);
  const judgedFindings = acknowledgeFindings(shown, model.objects, options.acknowledge);
  const accepted = { ...judgedFindings, findings: withOneForEachPlace(judgedFindings.findings), judged: shown };
  const open = [...notEvaluated, ...untriedSentence(trials)];
  const verdict = composeVerdict(context, passes, accepted, open, severitySentences(options.acknowledge));
  const notStarted = podsNotStarted(verdict.findings, context);
  return {
    ...verdict,
    summary: {
      ...verdict.summary,
      ...(asWritten === undefined ? {} : { asWritten: asWritten.summary }),
      ...(notStarted === undefined ? {} : { notStarted }),
    },
  };
}

/** Remedies that are not tried look like the others. */
function untriedSentence({ untried }: RemedyTrials): string[] {
  if (untried === 0) return [];
  return [
    `${countText(untried, 'remedy is', 'remedies are')} not tried on the whole input, because that would take too long: ${untried === 1 ? 'it' : 'they'} may lead to another finding`,
  ];
}

/**
 * Drops a finding if a superseding rule reports an error for the same object, and a note if it reports anything: the
 * cause is enough, without its effects.
 */
function withoutSuperseded(findings: readonly Finding[]): Finding[] {
  const supersedingRules = new Map(
    RULES.flatMap(({ id, supersededBy }) => (supersededBy ? [[id, supersededBy] as const] : [])),
  );
  const keyOf = (rule: string, { kind, namespace, name }: Finding['subject']) =>
    JSON.stringify([rule, kind, namespace, name]);
  const keysOf = (some: readonly Finding[]) => new Set(some.map(({ rule, subject }) => keyOf(rule, subject)));
  const errors = keysOf(findings.filter(({ severity }) => severity === 'error'));
  const all = keysOf(findings);
  return findings.filter(({ rule, severity, subject }) => {
    const causes = severity === 'info' ? all : errors;
    return !supersedingRules.get(rule)?.some((superseding) => causes.has(keyOf(superseding, subject)));
  });
}

/** The assumptions of a verdict that say which objects a rule could not evaluate, and why. */
export function ruleNotEvaluatedSentences({ assumptions }: Verdict, rule: string): string[] {
  return assumptions.filter((sentence) => sentence.startsWith(`${rule}${NOT_EVALUATED}`));
}

const NOT_EVALUATED = ' is not evaluated for ';

/** The findings with the remedies that trials have confirmed. */
function withTriedRemedies(
  findings: readonly Finding[],
  judged: ReadonlyMap<Finding, JudgedFinding>,
  trials: RemedyTrials,
): Finding[] {
  const left = findings.flatMap((finding) => judged.get(finding) ?? []);
  const tried = triedRemedies(left, trials);
  return findings.map((finding) => {
    const remedy = tried.get(judged.get(finding)?.finding as RuleFinding);
    if (remedy === undefined) return finding;
    const { fix, ...unfixed } = finding;
    return { ...unfixed, remedy: readable(remedy.remedy), ...(remedy.fix ? { fix: remedy.fix } : {}) };
  });
}

function findingOf({
  rule,
  severity,
  finding: { object, path, message, remedy, evidence, related, fix: edit, adds },
}: JudgedFinding): Finding {
  const { apiVersion, kind, namespace, name } = object.madeBy ?? object;
  const location = object.locate(path);
  // A patch of a kustomization would overwrite an edit of the file that it patches.
  const { source = object.rendered } = object;
  const isPatched = source !== undefined && source.file.path !== location.file;
  const fix = edit && !isPatched ? fixOf(withRenderedSource(object), edit) : adds && additionOf(adds);
  return {
    rule: rule.id,
    name: rule.name,
    severity,
    subject: { apiVersion, kind, namespace: namespace ?? '', name },
    location,
    message: readable(message),
    remedy: readable(remedy),
    evidence,
    ...(related ? { related: { location: related.object.locate(related.path), label: readable(related.label) } } : {}),
    ...(fix ? { fix } : {}),
  };
}

/** Input without any object to evaluate is an error of the caller. It must not look like a clean result. */
function emptyInput(sources: readonly SourceFile[], { model, options, controllers }: RuleContext): Finding[] {
  const { nodePools, nodeClasses, nodeOverlays, capacityBuffers, workloads, pdbs, otherObjects } = model;
  const parts = [
    nodePools,
    nodeClasses,
    nodeOverlays,
    capacityBuffers,
    workloads,
    pdbs,
    otherObjects,
    installedControllers(controllers),
    ...awsParts(model),
  ];
  const hasParts = parts.some(({ length }) => length > 0);
  const isReported =
    model.problems.some(({ severity }) => severity === 'error') ||
    model.objects.some((object) => isKarpenters(object) || isSparkTemplate(object));
  if (hasParts || isReported || options.mayBeEmpty) return [];
  const deployers = model.objects.filter(isDeployer).length;
  const otherKinds =
    model.objects.length === 0 ? '' : ` among ${countText(model.objects.length, 'object')} of other kinds`;
  return [
    {
      ...READING_RULES.unreadable,
      severity: 'error',
      subject: { apiVersion: '', kind: '', namespace: '', name: '' },
      location: { file: sources.length === 1 ? sources[0].path : '', line: 1, column: 1, path: '' },
      message: `${NOTHING_TO_EVALUATE}: the input contains no NodePool, EC2NodeClass or workload${otherKinds}${deployers === 0 ? '' : `; Argo CD or Flux deploys more from ${deployers} of these`}`,
      remedy: sources.some(({ path }) => /(^|\/)cdk\.json$/.test(path))
        ? 'run `cdk synth` first, and pass the folder cdk.out that it writes'
        : deployers === 0
          ? 'pass the manifests of NodePools, their EC2NodeClasses and workloads'
          : 'pass what they deploy: the output of `flux build kustomization`, `argocd app manifests` or `helm template`',
      evidence: { files: sources.length, objects: model.objects.length },
    },
  ];
}

/** Whether the finding says that the input has no object of a kind that is judged. */
export function isNothingToEvaluate({ rule, message }: Finding): boolean {
  return rule === READING_RULES.unreadable.rule && message.startsWith(NOTHING_TO_EVALUATE);
}

/** Resources of templates that have rules of their own. */
function awsParts({ aws }: ManifestModel): ReadonlyArray<readonly unknown[]> {
  return [aws.helmReleases, aws.eventRules, aws.queues, aws.roles, aws.policies, aws.accessEntries, aws.clusters];
}

/** Whether Argo CD or Flux deploys other manifests because of the object. */
function isDeployer({ apiVersion, kind }: ManifestObject): boolean {
  return (
    (/^(helm|kustomize)\.toolkit\.fluxcd\.io\//.test(apiVersion) && ['HelmRelease', 'Kustomization'].includes(kind)) ||
    (apiVersion.startsWith('argoproj.io/') && ['Application', 'ApplicationSet'].includes(kind))
  );
}

/** Also true for old API versions, which have a rule of their own. */
function isKarpenters({ apiVersion }: ManifestObject): boolean {
  return /^karpenter\.(sh|k8s\.aws)\//.test(apiVersion);
}

function nameOf({ kind, namespace, name }: ManifestObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
