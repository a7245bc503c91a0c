import { alikeFindings, describeAlike } from '../alike-findings';
import { plural } from '../section';
import { Finding, Verdict } from '../verdict';
import { bounded } from './bounded';
import { code, details, prose, table } from './inline';

const PLURALS = { error: 'error', warning: 'warning', info: 'note' } as const;
const HEAD = ['Where', 'What happens', 'What to write instead'];

/**
 * A table for each severity, errors first: only these, or warnings where there are none, are open.
 *
 * @param kind what they are called, as in `new `
 */
export function findingsPart({ findings }: Pick<Verdict, 'findings'>, room: number, kind = ''): string[] {
  let left = room;
  let isOpen = true;
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    const body = tableOf(own, left);
    left -= body.length;
    const title = plural(own.length, `${kind}${PLURALS[severity]}`);
    const part = isOpen ? `### ${title}\n\n${body}` : details(title, body);
    isOpen = false;
    return [part];
  });
}

function tableOf(findings: readonly Finding[], room: number): string {
  const groups = alikeFindings(findings).map((group) => ({ row: rowOf(group), count: group.length }));
  const { kept, left } = bounded(groups, room, ({ row }) => row.join('').length + 16);
  const hidden = groups.slice(groups.length - left).reduce((sum, { count }) => sum + count, 0);
  const parts = kept.length === 0 ? [] : [table(HEAD, kept.map(({ row }) => row))];
  return [...parts, ...hidden === 0 ? [] : [`and ${plural(hidden, 'finding')} more: \`--format json\` lists them all`]].join('\n\n');
}

function rowOf([finding, ...others]: readonly Finding[]): string[] {
  const { rule, name, subject, message, remedy } = finding;
  const object = subject.kind === '' ? '' : `**${prose(`${subject.kind} ${nameOf(subject)}`)}**: `;
  const alike = describeAlike(others, (other) => `${nameOf(other.subject)} (${placeOf(other)})`).map((line) => `<br>*${prose(line)}*`);
  return [`${code(placeOf(finding))}<br>${prose(`${rule} ${name}`)}`, `${object}${prose(message)}${alike.join('')}`, prose(remedy)];
}

function placeOf({ location: { file, line } }: Finding): string {
  if (file === '') return '(no file)';
  return `${file === '-' ? '(standard input)' : file}:${line}`;
}

function nameOf({ namespace, name }: Finding['subject']): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
