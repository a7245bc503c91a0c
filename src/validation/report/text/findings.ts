import { groupSimilarFindings, similarText } from '../similar';
import { Finding, Verdict } from '../verdict';
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
  const { rule, name, severity, subject, location, message, remedy } = finding;
  const color = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  const what = subject.kind === '' ? '' : `${subject.kind} ${nameOf(subject)}: `;
  return [
    `    ${displayName(location.file)}:${location.line}:${location.column} ${color(severity)} ${rule} ${name}`,
    ...indented(`${what}${message}`),
    ...similarText(others, (other) => placeOf(other, location.file)).flatMap(indented),
    ...indented(`→ ${remedy}`),
  ];
}

/** The object of a similar finding, and its line. */
function placeOf({ subject, location }: Finding, file: string): string {
  const place = location.file === file ? `line ${location.line}` : `${displayName(location.file)}:${location.line}`;
  return subject.kind === '' ? place : `${nameOf(subject)} (${place})`;
}

export function nameOf({ namespace, name }: Finding['subject']): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Indents every line of a message. */
function indented(text: string): string[] {
  return text.split('\n').map((line) => `      ${line}`);
}

function displayName(file: string): string {
  if (file === '') return '(no file)';
  return file === '-' ? '(standard input)' : file;
}
