import { ConstructPaths } from './construct-paths';
import { printableLine } from '../model';
import { groupSimilarFindings, similarText, Finding, nodeCountText, priceSourcesText, Verdict } from '../validation';

/** Infos are counted, and can be read in the JSON verdict. */
const PRINTED = ['error', 'warning'];

/** A line for the plan and its cost, then each error and each warning with the path of its construct. */
export function synthReport(verdict: Verdict, paths: ConstructPaths, jsonFile: string): string {
  const { errors, warnings, infos } = verdict.summary;
  const lines = [
    `karpenter verdict: ${planSummary(verdict)}`,
    `  ${plural(errors, 'error')}, ${plural(warnings, 'warning')}, ${plural(infos, 'info')}; all of it in ${jsonFile}`,
    ...findingLines(verdict.findings.filter(({ severity }) => PRINTED.includes(severity)), paths),
  ];
  return `${lines.map(printableLine).join('\n')}\n`;
}

/** What is known only at deployment is neither among the NodePools of a verdict nor found wrong. */
const UNJUDGED = /^(?:NodePool|EC2NodeClass|NodeOverlay|CapacityBuffer) .+ is not evaluated: /;

/** Where the pods of one cluster go, and where to read more; nothing where the app has nothing to do with Karpenter. */
export function clusterLine(verdict: Verdict, jsonFile: string): string {
  const { summary, nodePools, assumptions } = verdict;
  const unjudged = assumptions.filter((sentence) => UNJUDGED.test(sentence)).length;
  if (summary.pods === 0 && nodePools.length === 0 && verdict.findings.length === 0 && unjudged === 0) return '';
  const open = assumptions.filter((sentence) => sentence.includes(' is not evaluated for ')).length;
  return [
    `karpenter verdict: ${planSummary(verdict)}`,
    ...unjudged === 0 ? [] : [`${plural(unjudged, 'object')} not judged`],
    ...open === 0 ? [] : [`${plural(open, 'check')} not evaluated`],
    `all of it in ${jsonFile}\n`,
  ].join('; ');
}

/** The message of the error that ends the synth. */
export function failureText(findings: readonly Finding[], paths: ConstructPaths): string {
  return [
    `karpenter verdict: the synth fails on ${plural(findings.length, 'finding')}`,
    ...groupSimilarFindings(findings).flatMap(([first, ...others]) => [`  ${findingLine(first, paths)}; ${first.remedy}`, ...othersLines(others, paths)]),
  ].map(printableLine).join('\n');
}

/** A line for each finding, with the remedy below it. Equal findings share a line. */
export function findingLines(findings: readonly Finding[], paths?: ConstructPaths): string[] {
  return groupSimilarFindings(findings).flatMap(([first, ...others]) =>
    [`  ${first.severity} ${findingLine(first, paths)}`, ...othersLines(others, paths), `      ${first.remedy}`]);
}

function othersLines(others: readonly Finding[], paths: ConstructPaths | undefined): string[] {
  return similarText(others, (finding) => `${constructsText(finding, paths)}${placeText(finding)}`, '').map((line) => `      ${line}`);
}

/** Where the pods go, in one line. */
export function planSummary(verdict: Verdict): string {
  const { summary, notEvaluated, unschedulable } = verdict;
  const parts = [`${summary.scheduledPods} of ${plural(summary.pods, 'pod')} on ${nodeCountText(verdict)}`];
  if (summary.cost.usdPerHour !== null) {
    const { usdPerHour, currency } = summary.cost;
    parts.push(`${usdPerHour.toFixed(4)} ${currency} per hour (${priceSourcesText(summary.cost)})`);
  }
  if (unschedulable.length > 0) {
    parts.push(`${unschedulable.length} unschedulable`);
  }
  if (notEvaluated.length > 0) {
    parts.push(`${summary.pods - summary.scheduledPods - unschedulable.length} not evaluated`);
  }
  return parts.join(', ');
}

function findingLine(finding: Finding, paths?: ConstructPaths): string {
  const { rule, name, message, location: { path } } = finding;
  const where = path === '' ? placeText(finding) : `${placeText(finding)} ${path}`;
  return `${constructsText(finding, paths)}${rule} ${name}: ${message} (${where})`;
}

function constructsText({ subject, location: { construct: written, resource } }: Finding, paths: ConstructPaths | undefined): string {
  return (paths?.of(subject) ?? [written ?? resource ?? []].flat()).map((construct) => `[${construct}] `).join('');
}

function placeText({ location: { file, line, column } }: Finding): string {
  return `${file}:${line}:${column}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
