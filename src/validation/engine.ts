import { isKnownKarpenterVersion, NEWEST_KARPENTER_VERSION, OLDEST_KARPENTER_VERSION } from '../contract';
import { planOfRounds, provisioningRounds } from '../scheduling';
import { findControllers, installed } from './controller';
import { Input, inputFor, ManifestModel, ManifestObject, readInput, READING_RULES, SourceFile } from './manifest';
import { CheckOptions } from './options';
import { Finding, Verdict } from './report/verdict';
import { Outcome, Rule, RuleContext, RULES } from './rules';
import { ofOneCluster, sceneOf } from './scene';
import { clusterLabels, readable } from './template';
import { composeVerdict } from './verdict-composer';

/** The rule of input that cannot be used at all: a command that meets it ends with an exit code of its own. */
export const UNREADABLE_INPUT = READING_RULES.unreadable.rule;

/**
 * Reads manifests, lets Karpenter's scheduling run on them, and judges the result.
 *
 * @throws Error if an option has a value that it cannot have; bad input never throws, but becomes findings
 */
export function check(sources: readonly SourceFile[], given: CheckOptions = {}): Verdict {
  checkVersion(given.karpenterVersion);
  return judge(sources, ofOneCluster(readInput(sources, given)), given);
}

/** The verdict on one cluster; without a name, of what templates apply to no cluster at all. */
export interface ClusterVerdict {
  readonly cluster?: string;
  readonly verdict: Verdict;
}

/**
 * As `check`, once for each cluster that the templates apply manifests to.
 *
 * @throws as `check`
 */
export function checkClusters(sources: readonly SourceFile[], given: CheckOptions = {}): ClusterVerdict[] {
  checkVersion(given.karpenterVersion);
  const input = readInput(sources, given);
  if (input.clusters.length === 0) return [{ verdict: judge(sources, input, given) }];
  const labels = clusterLabels(input.clusters);
  return input.clusters.map((cluster, i) => ({ cluster: labels[i], verdict: judge(sources, inputFor(input, cluster), given) }));
}

function judge(sources: readonly SourceFile[], files: Input, given: CheckOptions): Verdict {
  const { model, options, catalog, input } = sceneOf(files, given);
  const rounds = provisioningRounds(input, catalog);
  const { input: lastInput } = rounds[rounds.length - 1];
  const plan = planOfRounds(rounds);
  const context: RuleContext = { model, input, plan, lastInput, catalog, options, controllers: findControllers(model, options) };
  const findings = [...model.problems, ...emptyInput(sources, context)];
  const notEvaluated: string[] = [];
  for (const rule of RULES) {
    for (const outcome of rule.check(context)) takeOutcome(rule, outcome, findings, notEvaluated);
  }
  return composeVerdict(context, rounds, withoutRepetitions(findings), notEvaluated);
}

/** Where several rules find the cause and the effect, the cause is enough. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  const yielding = new Map(RULES.flatMap(({ id, unlessFoundBy }) => unlessFoundBy ? [[id, unlessFoundBy] as const] : []));
  const keyOf = (rule: string, { kind, namespace, name }: Finding['subject']) => JSON.stringify([rule, kind, namespace, name]);
  const found = new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule, subject }) => keyOf(rule, subject)));
  return findings.filter(({ rule, subject }) => !yielding.get(rule)?.some((other) => found.has(keyOf(other, subject))));
}

/** What of a rule's objects it could not judge, and why, as the assumptions of a verdict have it. */
export function ruleNotEvaluated({ assumptions }: Verdict, rule: string): string[] {
  return assumptions.filter((sentence) => sentence.startsWith(`${rule}${NOT_EVALUATED}`));
}

const NOT_EVALUATED = ' is not evaluated for ';

function takeOutcome(rule: Rule, outcome: Outcome, findings: Finding[], notEvaluated: string[]): void {
  if (outcome.state === 'not-evaluated') notEvaluated.push(`${rule.id}${NOT_EVALUATED}${nameOf(outcome.object)}: ${readable(outcome.why)}`);
  if (outcome.state !== 'fail') return;
  const { object, path, message, remedy, evidence, severity } = outcome.finding;
  const { apiVersion, kind, namespace, name } = object;
  findings.push({
    rule: rule.id,
    name: rule.name,
    severity: severity ?? rule.severity,
    subject: { apiVersion, kind, namespace: namespace ?? '', name },
    location: object.locate(path),
    message: readable(message),
    remedy: readable(remedy),
    evidence,
  });
}

/** An input with nothing in it to judge is a mistake of the caller, and no clean bill. */
function emptyInput(sources: readonly SourceFile[], { model, options, controllers }: RuleContext): Finding[] {
  const { nodePools, nodeClasses, nodeOverlays, capacityBuffers, workloads, pdbs, others: unread } = model;
  const parts = [nodePools, nodeClasses, nodeOverlays, capacityBuffers, workloads, pdbs, unread, installed(controllers), ...awsParts(model)];
  const judged = parts.some(({ length }) => length > 0);
  const alreadyKnown = model.problems.some(({ severity }) => severity === 'error') || model.objects.some(isKarpenters);
  if (judged || alreadyKnown || options.mayBeEmpty) return [];
  const others = model.objects.length === 0 ? '' : ` among ${model.objects.length} ${model.objects.length === 1 ? 'object' : 'objects'} of other kinds`;
  return [{
    ...READING_RULES.unreadable,
    severity: 'error',
    subject: { apiVersion: '', kind: '', namespace: '', name: '' },
    location: { file: sources[0]?.path ?? '', line: 1, column: 1, path: '' },
    message: `nothing to judge: there is no NodePool, no EC2NodeClass and no workload${others}`,
    remedy: 'pass the manifests of the NodePools, their EC2NodeClasses and the workloads',
    evidence: { files: sources.length, objects: model.objects.length },
  }];
}

/** What of templates some rule looks at by itself. */
function awsParts({ aws }: ManifestModel): ReadonlyArray<readonly unknown[]> {
  return [aws.helmReleases, aws.eventRules, aws.queues, aws.roles, aws.policies, aws.accessEntries, aws.clusters];
}

/** Also those of versions that are no longer judged: a rule speaks of these. */
function isKarpenters({ apiVersion }: ManifestObject): boolean {
  return /^karpenter\.(sh|k8s\.aws)\//.test(apiVersion);
}

function nameOf({ kind, namespace, name }: ManifestObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || isKnownKarpenterVersion(version)) return;
  throw new Error(`karpenterVersion: not a known version, got ${JSON.stringify(version)}; write one from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}`);
}
