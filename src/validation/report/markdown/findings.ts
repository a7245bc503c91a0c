import { countText } from '../../../model';
import { displayName, objectOf } from '../../vocabulary/subject';
import { Finding, Verdict } from '../../vocabulary/verdict';
import { groupByMessage, groupByRule } from '../finding-groups';
import { rulePageUrl } from '../rule-page';
import { omittedText } from '../wording';
import { code, details, prose, table } from './inline';
import { truncated } from './size-limit';

const NOUNS = { error: 'error', warning: 'warning', info: 'note' } as const;
const HEAD = ['Where', 'Problem', 'What to write instead'];
/** The most places of one row. */
const MAX_PLACES = 3;
/** The part of the remaining room that a severity may use. */
const SHARE_OF_ROOM = { error: 0.5, warning: 0.8, info: 1 } as const;

/**
 * A table of errors, which is open, a table of warnings and a list of notes. Errors with one message share a row.
 * Warnings of one rule share a row, too, which describes the one on the most expensive workload.
 *
 * @param kind a prefix for the titles, such as `new `
 */
export function findingsMarkdown(
  { findings, workloads = [] }: Pick<Verdict, 'findings'> & Partial<Pick<Verdict, 'workloads'>>,
  room: number,
  kind = '',
): string[] {
  let left = room;
  return (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    if (ofSeverity.length === 0) return [];
    const groups = severity === 'error' ? groupByMessage(ofSeverity) : groupByRule(ofSeverity, workloads);
    const roomOfSeverity = Math.floor(left * SHARE_OF_ROOM[severity]);
    const body = severity === 'info' ? listOf(groups, roomOfSeverity) : tableOf(groups, roomOfSeverity);
    left -= body.length;
    return [details(countText(ofSeverity.length, `${kind}${NOUNS[severity]}`), body, severity === 'error')];
  });
}

/** What `[KARP-402]` links to, for each rule. These definitions are not shown. */
export function ruleLinks(findings: readonly Finding[]): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return rules.length === 0 ? [] : [rules.map((rule) => `[${rule}]: ${rulePageUrl(rule)}`).join('\n')];
}

function tableOf(groups: readonly Finding[][], room: number): string {
  const { kept, left } = truncated(groups.map(rowOf), room, (row) => row.join('').length + 16);
  return [...(kept.length === 0 ? [] : [table(HEAD, kept)]), ...hiddenText(groups, left)].join('\n\n');
}

function listOf(groups: readonly Finding[][], room: number): string {
  const { kept, left } = truncated(
    groups.map((group) => `- ${titleOf(group)}: ${placesOf(group.slice(0, MAX_PLACES))}`),
    room,
    ({ length }) => length + 1,
  );
  return [...(kept.length === 0 ? [] : [kept.join('\n')]), ...hiddenText(groups, left)].join('\n\n');
}

/** How many findings the last groups have, which are left out. */
function hiddenText(groups: readonly Finding[][], left: number): string[] {
  return left === 0 ? [] : [prose(omittedText(groups.slice(groups.length - left).flat().length, 'finding'))];
}

/** `KARP-402 no-pdb × 12`, with a link. */
function titleOf(group: readonly Finding[]): string {
  const [{ rule, name }] = group;
  return `[${rule}] ${prose(name)}${group.length === 1 ? '' : ` × ${group.length}`}`;
}

function rowOf(group: readonly Finding[]): string[] {
  const [{ subject, message, remedy }] = group;
  const object = subject.kind === '' ? '' : `**${prose(objectOf(subject))}**: `;
  return [`${titleOf(group)}<br>${placesOf(group.slice(0, MAX_PLACES))}`, `${object}${prose(message)}`, prose(remedy)];
}

/** `b.yaml:9, :12`, each with a link to its line. */
function placesOf(findings: readonly Finding[]): string {
  let last: string | undefined;
  return findings
    .map(({ location: { file, line } }) => {
      const text = file === last ? `:${line}` : `${displayName(file)}${file === '' ? '' : `:${line}`}`;
      last = file;
      return isRelative(file) ? `[${code(text)}](${urlOf(file)}#L${line})` : code(text);
    })
    .join(', ');
}

/** Whether the file is below the working folder, which is taken for the repository. */
function isRelative(file: string): boolean {
  return file !== '' && file !== '-' && !/^([/\\]|\w:|\.\.)/.test(file);
}

function urlOf(file: string): string {
  return file
    .replace(/^\.\//, '')
    .split('/')
    .map((step) =>
      encodeURIComponent(step).replace(/[()!'*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
