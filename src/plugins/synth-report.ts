import { ConstructPaths } from './construct-paths';
import { countText, hourlyPriceText, numberText, printableLine } from '../model';
import { groupSimilarFindings, similarText, Finding, nodeCountText, priceSourcesText, Verdict } from '../validation';

/** Severities of the printed findings. Infos are only counted; the JSON verdict has them. */
const PRINTED_SEVERITIES = ['error', 'warning'];

/**
 * The report of `app.synth()`: plan and cost, number of findings, then each error and warning with its construct.
 *
 * @param failing findings that fail the synth: they are in the message of the error, so that each is printed once
 */
export function synthReport(
  verdict: Verdict,
  failing: readonly Finding[],
  paths: ConstructPaths,
  jsonFile: string,
): string {
  const { errors, warnings, infos } = verdict.summary;
  const lines = [
    `karpenter verdict: ${planSummary(verdict)}`,
    `  ${countText(errors, 'error')}, ${countText(warnings, 'warning')}, ${countText(infos, 'info')}; full verdict in ${jsonFile}`,
    ...findingLines(
      verdict.findings.filter((finding) => PRINTED_SEVERITIES.includes(finding.severity) && !failing.includes(finding)),
      paths,
    ),
  ];
  return `${lines.map(printableLine).join('\n')}\n`;
}

/**
 * An object with values known only at deployment. It is not in `nodePools` and has no finding, so it is named here.
 */
const NOT_EVALUATED_OBJECT = /^((?:NodePool|EC2NodeClass|NodeOverlay|CapacityBuffer) .+?) is not evaluated: /;
const NOT_EVALUATED_RULE = /^(KARP-\d+) is not evaluated for /;

/** The line that `cdk synth` prints for one cluster; empty if the app does not use Karpenter. */
export function clusterLine(verdict: Verdict, jsonFile: string): string {
  const { summary, nodePools, assumptions } = verdict;
  const objects = matchesOf(assumptions, NOT_EVALUATED_OBJECT);
  if (summary.pods === 0 && nodePools.length === 0 && verdict.findings.length === 0 && objects.length === 0) return '';
  const rules = matchesOf(assumptions, NOT_EVALUATED_RULE);
  const reasons = objects.length + rules.length === 0 ? '' : ', with the reasons under "assumptions"';
  return `${printableLine(
    [
      `karpenter verdict: ${planSummary(verdict)}`,
      ...notEvaluatedText('object', objects),
      ...notEvaluatedText('check', rules),
      `full verdict in ${jsonFile}${reasons}`,
    ].join('; '),
  )}\n`;
}

/** The first group of each sentence that matches. */
function matchesOf(sentences: readonly string[], pattern: RegExp): string[] {
  return sentences.flatMap((sentence) => pattern.exec(sentence)?.[1] ?? []);
}

/** Names printed at most; the verdict has all of them. */
const MAX_NAMES = 8;

function notEvaluatedText(noun: string, names: readonly string[]): string[] {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return [];
  const others = distinct.length - MAX_NAMES;
  const shown = `${distinct.slice(0, MAX_NAMES).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  return [`${countText(distinct.length, noun)} not evaluated (${shown})`];
}

/** Message of the error that fails the synth. */
export function failureText(findings: readonly Finding[], paths: ConstructPaths): string {
  return [
    `karpenter verdict: the synth fails on ${countText(findings.length, 'finding')}`,
    ...groupSimilarFindings(findings).flatMap(([first, ...similar]) => [
      `  ${findingLine(first, paths)}; ${first.remedy}`,
      ...similarLines(similar, paths),
    ]),
  ]
    .map(printableLine)
    .join('\n');
}

/** One line for each finding with its remedy below. Similar findings share a line. */
export function findingLines(findings: readonly Finding[], paths?: ConstructPaths): string[] {
  return groupSimilarFindings(findings).flatMap(([first, ...similar]) => [
    `  ${first.severity} ${findingLine(first, paths)}`,
    ...similarLines(similar, paths),
    `      ${first.remedy}`,
  ]);
}

function similarLines(findings: readonly Finding[], paths: ConstructPaths | undefined): string[] {
  return similarText(findings, (finding) => `${constructsText(finding, paths)}${placeText(finding)}`, '').map(
    (line) => `      ${line}`,
  );
}

/** Pods, nodes and cost of the plan in one line. */
export function planSummary(verdict: Verdict): string {
  const { summary, notEvaluated, unschedulable } = verdict;
  const { scheduledPods, asWritten } = summary;
  const fitting = asWritten?.scheduledPods ?? scheduledPods;
  const after = asWritten === undefined ? '' : ` as it is; with the errors corrected, ${numberText(scheduledPods)}`;
  const parts = [`${numberText(fitting)} of ${countText(summary.pods, 'pod')}${after} on ${nodeCountText(verdict)}`];
  if (summary.cost.usdPerHour !== null) {
    const { usdPerHour, currency } = summary.cost;
    parts.push(`${hourlyPriceText(usdPerHour, currency)} (${priceSourcesText(summary.cost)})`);
  }
  if (summary.cost.notEvaluated !== undefined) {
    parts.push(`cost not evaluated: ${summary.cost.notEvaluated.join('; ')}`);
  }
  if (unschedulable.length > 0) {
    parts.push(`${numberText(unschedulable.length)} unschedulable`);
  }
  if (notEvaluated.length > 0) {
    parts.push(`${numberText(summary.pods - summary.scheduledPods - unschedulable.length)} not evaluated`);
  }
  return parts.join(', ');
}

function findingLine(finding: Finding, paths?: ConstructPaths): string {
  const {
    rule,
    name,
    message,
    location: { path },
  } = finding;
  const place = path === '' ? placeText(finding) : `${placeText(finding)} ${path}`;
  return `${constructsText(finding, paths)}${rule} ${name}: ${message} (${place})`;
}

function constructsText(
  { subject, location: { construct: written, resource } }: Finding,
  paths: ConstructPaths | undefined,
): string {
  return (paths?.of(subject) ?? [written ?? resource ?? []].flat()).map((construct) => `[${construct}] `).join('');
}

function placeText({ location: { file, line, column } }: Finding): string {
  return `${file}:${line}:${column}`;
}
