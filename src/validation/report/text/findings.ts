import { displayName, messageWithObject, placeOf } from '../../vocabulary/subject';
import { Finding, Verdict } from '../../vocabulary/verdict';
import { groupSimilarFindings, similarText } from '../similar';
import { Colors, Section } from '../wording';

/** Findings by file and line, each with its message and remedy. */
export function describeFindings({ findings }: Pick<Verdict, 'findings'>, colors: Colors, title = 'Findings'): Section {
  const lines: string[] = [];
  let file: string | undefined;
  for (const [finding, ...others] of groupSimilarFindings(findings)) {
    if (finding.location.file !== file) {
      file = finding.location.file;
      lines.push(`  ${colors.underline(displayName(file))}`);
    }
    lines.push(...describeFinding(finding, others, colors));
  }
  return { title, lines };
}

function describeFinding(finding: Finding, others: readonly Finding[], colors: Colors): string[] {
  const { rule, name, severity, location, remedy } = finding;
  const color = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  return [
    `    ${displayName(location.file)}:${location.line}:${location.column} ${color(severity)} ${rule} ${name}`,
    ...indented(messageWithObject(finding)),
    ...similarText(others, (other) => placeOf(other, location.file)).flatMap(indented),
    ...indented(`→ ${remedy}`),
  ];
}

/** Indents every line of a message. */
function indented(text: string): string[] {
  return text.split('\n').map((line) => `      ${line}`);
}
