import { Colors, Section } from './section';
import { Finding, Verdict } from './verdict';

/** Of more than so many that say the same of one kind of object, the first is told, and the others are named. */
const MOST_ALIKE = 3;
const MOST_NAMED = 10;

/** By file, and in it from top to bottom; each with what happens and what to write instead. */
export function describeFindings({ findings }: Verdict, colors: Colors): Section {
  const lines: string[] = [];
  const alike = alikeOf(findings);
  let file: string | undefined;
  for (const finding of findings) {
    const all = alike.get(textOf(finding))!;
    if (all.length > MOST_ALIKE && finding !== all[0]) continue;
    if (finding.location.file !== file) {
      file = finding.location.file;
      lines.push(`  ${colors.underline(displayName(file))}`);
    }
    lines.push(...describeFinding(finding, all.length > MOST_ALIKE ? all.slice(1) : [], colors));
  }
  return { title: 'Findings', lines };
}

function alikeOf(findings: readonly Finding[]): Map<string, Finding[]> {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = alike.get(textOf(finding));
    if (known) known.push(finding);
    else alike.set(textOf(finding), [finding]);
  }
  return alike;
}

/** All that it says, without whom it says it of. */
function textOf({ rule, severity, subject, message, remedy }: Finding): string {
  return JSON.stringify([rule, severity, subject.kind, message, remedy]);
}

function describeFinding(finding: Finding, others: readonly Finding[], colors: Colors): string[] {
  const { rule, name, severity, subject, location, message, remedy } = finding;
  const color = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  const what = subject.kind === '' ? '' : `${subject.kind} ${nameOf(subject)}: `;
  return [
    `    ${displayName(location.file)}:${location.line}:${location.column} ${color(severity)} ${rule} ${name}`,
    ...indented(`${what}${message}`),
    ...others.length === 0 ? [] : indented(`the same of ${others.length} more: ${names(others, location.file)}`),
    ...indented(`→ ${remedy}`),
  ];
}

function names(findings: readonly Finding[], file: string): string {
  const named = findings.slice(0, MOST_NAMED).map(({ subject, location }) => {
    const place = location.file === file ? `line ${location.line}` : `${displayName(location.file)}:${location.line}`;
    return subject.kind === '' ? place : `${nameOf(subject)} (${place})`;
  });
  const left = findings.length - named.length;
  return named.join(', ') + (left > 0 ? `, and ${left} more still: --format json lists them all` : '');
}

function nameOf({ namespace, name }: Finding['subject']): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** A message of several lines stays under its finding. */
function indented(text: string): string[] {
  return text.split('\n').map((line) => `      ${line}`);
}

function displayName(file: string): string {
  if (file === '') return '(no file)';
  return file === '-' ? '(standard input)' : file;
}
