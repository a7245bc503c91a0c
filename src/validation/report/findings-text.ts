import { Colors, Section } from './section';
import { Finding, Verdict } from './verdict';

/** By file, and in it from top to bottom; each with what happens and what to write instead. */
export function describeFindings({ findings }: Verdict, colors: Colors): Section {
  const lines: string[] = [];
  let file: string | undefined;
  for (const finding of findings) {
    if (finding.location.file !== file) {
      file = finding.location.file;
      lines.push(`  ${colors.underline(displayName(file))}`);
    }
    lines.push(...describeFinding(finding, colors));
  }
  return { title: 'Findings', lines };
}

function describeFinding({ rule, name, severity, subject, location, message, remedy }: Finding, colors: Colors): string[] {
  const color = { error: colors.red, warning: colors.yellow, info: colors.cyan }[severity];
  const what = subject.kind === '' ? '' : `${subject.kind} ${subject.namespace === '' ? '' : `${subject.namespace}/`}${subject.name}: `;
  return [
    `    ${displayName(location.file)}:${location.line}:${location.column} ${color(severity)} ${rule} ${name}`,
    ...indented(`${what}${message}`),
    ...indented(`→ ${remedy}`),
  ];
}

/** A message of several lines stays under its finding. */
function indented(text: string): string[] {
  return text.split('\n').map((line) => `      ${line}`);
}

function displayName(file: string): string {
  if (file === '') return '(no file)';
  return file === '-' ? '(standard input)' : file;
}
