import { groupSimilarFindings, similarText } from '../similar';
import { Finding, Verdict } from '../verdict';
import { moreText, plural } from '../wording';
import { code, details, prose, table } from './inline';
import { truncated } from './size-limit';

const NOUNS = { error: 'error', warning: 'warning', info: 'note' } as const;
const HEAD = ['Where', 'Problem', 'What to write instead'];

/**
 * A table for each severity, errors first. Only the most severe table is open; the others are collapsed.
 *
 * @param kind a prefix for the titles, such as `new `
 */
export function findingsPart({ findings }: Pick<Verdict, 'findings'>, room: number, kind = ''): string[] {
  let left = room;
  let isOpen = true;
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    if (ofSeverity.length === 0) return [];
    const body = tableOf(ofSeverity, left);
    left -= body.length;
    const title = plural(ofSeverity.length, `${kind}${NOUNS[severity]}`);
    const part = isOpen ? `### ${title}\n\n${body}` : details(title, body);
    isOpen = false;
    return [part];
  });
}

function tableOf(findings: readonly Finding[], room: number): string {
  const groups = groupSimilarFindings(findings).map((group) => ({ row: rowOf(group), count: group.length }));
  const { kept, left } = truncated(groups, room, ({ row }) => row.join('').length + 16);
  const hidden = groups.slice(groups.length - left).reduce((sum, { count }) => sum + count, 0);
  const parts = kept.length === 0 ? [] : [table(HEAD, kept.map(({ row }) => row))];
  return [...parts, ...hidden === 0 ? [] : [prose(moreText(hidden, 'finding'))]].join('\n\n');
}

function rowOf([finding, ...others]: readonly Finding[]): string[] {
  const { rule, name, subject, message, remedy } = finding;
  const object = subject.kind === '' ? '' : `**${prose(`${subject.kind} ${nameOf(subject)}`)}**: `;
  const similar = similarText(others, (other) => `${nameOf(other.subject)} (${placeOf(other)})`).map((line) => `<br>*${prose(line)}*`);
  return [`${code(placeOf(finding))}<br>${prose(`${rule} ${name}`)}`, `${object}${prose(message)}${similar.join('')}`, prose(remedy)];
}

function placeOf({ location: { file, line } }: Finding): string {
  if (file === '') return '(no file)';
  return `${file === '-' ? '(standard input)' : file}:${line}`;
}

function nameOf({ namespace, name }: Finding['subject']): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
