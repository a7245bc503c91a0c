import { Finding, Verdict } from '../validation';
import { ConstructPaths } from './construct-paths';

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
  return `${lines.join('\n')}\n`;
}

/** What is known only at deployment is neither among the NodePools of a verdict nor found wrong. */
const UNJUDGED = /^(?:NodePool|EC2NodeClass|NodeOverlay|CapacityBuffer) .+ is not judged: /;

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
    ...findings.map((finding) => `  ${findingLine(finding, paths)}; ${finding.remedy}`),
  ].join('\n');
}

/** A line for each, with what to write instead below it. */
export function findingLines(findings: readonly Finding[], paths?: ConstructPaths): string[] {
  return findings.flatMap((finding) => [`  ${finding.severity} ${findingLine(finding, paths)}`, `      ${finding.remedy}`]);
}

/** Where the pods go, in one line. */
export function planSummary({ summary, notEvaluated, unschedulable }: Verdict): string {
  const parts = [`${summary.scheduledPods} of ${plural(summary.pods, 'pod')} on ${plural(summary.nodes, 'node')}`];
  if (summary.cost.usdPerHour !== null) {
    parts.push(`${summary.cost.usdPerHour.toFixed(4)} USD per hour`);
  }
  if (unschedulable.length > 0) {
    parts.push(`${unschedulable.length} unschedulable`);
  }
  if (notEvaluated.length > 0) {
    parts.push(`${notEvaluated.length} not evaluated`);
  }
  return parts.join(', ');
}

function findingLine(finding: Finding, paths?: ConstructPaths): string {
  const { file, line, column, path, construct: written, resource } = finding.location;
  const constructs = (paths?.of(finding.subject) ?? [written ?? resource ?? []].flat()).map((construct) => `[${construct}] `).join('');
  const where = path === '' ? `${file}:${line}:${column}` : `${file}:${line}:${column} ${path}`;
  return `${constructs}${finding.rule} ${finding.name}: ${finding.message} (${where})`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
