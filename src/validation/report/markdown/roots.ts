import { createColors } from 'picocolors';
import { findingsMarkdown, ruleLinks } from './findings';
import { details, prose, table } from './inline';
import { linesOf } from './size-limit';
import { describeAcknowledged } from '../text/acknowledged';
import {
  acknowledgedOfRoots,
  countsOfRoots,
  findingsOfRoots,
  originsOfRoots,
  ROOT_HEAD,
  rootRow,
  rootsHeadline,
  RootVerdict,
  shortNames,
} from '../text/roots';
import { withoutControlCharacters } from '../wording';

/** The most characters of the findings, and of the list of acknowledged findings. */
const ROOM = 12_000;
const ACKNOWLEDGED_ROOM = 3_000;

/** A table with a line for each root, and the findings of all roots. */
export function renderRootsMarkdown(given: readonly RootVerdict[]): string {
  const roots = shortNames(withoutControlCharacters(given));
  const findings = findingsOfRoots(roots);
  const acknowledged = acknowledgedOfRoots(roots);
  const counts = countsOfRoots(roots, createColors(false));
  const before = [
    `## ${rootsHeadline(roots)}`,
    ...(roots.some(({ verdict }) => verdict) ? [prose(counts)] : []),
    table(
      [...ROOT_HEAD],
      roots.map(({ name, verdict }) => rootRow({ name, summary: verdict?.summary }).map(prose)),
    ),
    ...originsOfRoots(roots).map((sentence) => `- ${prose(sentence)}`),
  ];
  const { title, lines } = describeAcknowledged({ acknowledged });
  const after = lines.length === 0 ? [] : [details(title, linesOf(lines, ACKNOWLEDGED_ROOM))];
  return `${[...before, ...findingsMarkdown({ findings, workloads: roots.flatMap(({ verdict }) => verdict?.workloads ?? []) }, ROOM), ...after, ...ruleLinks(findings)].join('\n\n')}\n`;
}
