import { summarisePods } from './pod-names';
import { messageWithObject } from '../vocabulary/subject';
import { groupByReason } from './text/pods';
import { countText, printableLine } from '../../model';
import { Finding, Verdict } from '../vocabulary/verdict';

/**
 * A line for each finding, as compilers print them: `file:line:column: severity: message [rule]`. Editors and hooks
 * parse it. Findings without a file, and pods that are not evaluated, have no place on their line.
 */
export function renderUnix({ findings, notEvaluated }: Pick<Verdict, 'findings' | 'notEvaluated'>): string {
  const lines = [
    ...findings.map(lineOf),
    ...groupByReason(notEvaluated, ({ what }) => what).map(
      ([pods, what]) =>
        `note: ${countText(pods.length, 'pod')} not evaluated (${summarisePods(pods)}): ${what.join(', ')}`,
    ),
  ];
  return lines.map((line) => `${printableLine(line)}\n`).join('');
}

function lineOf(finding: Finding): string {
  const {
    rule,
    severity,
    location: { file, line, column },
    remedy,
  } = finding;
  const place = file === '' ? '' : `${file}:${Math.max(1, line)}:${Math.max(1, column)}: `;
  return `${place}${severity}: ${messageWithObject(finding)}; ${remedy} [${rule}]`;
}
