import { createColors } from 'picocolors';
import { findingsMarkdown, ruleLinks } from './findings';
import { details, prose, table } from './inline';
import { linesOf, truncated } from './size-limit';
import { RootDifferences } from '../../difference/root-differences';
import { describeAcknowledged } from '../text/acknowledged';
import { describeAssumptions } from '../text/assumptions';
import { addedText, resolvedFindings } from '../text/difference';
import {
  commonParts,
  differenceRows,
  EqualRoots,
  equalRoots,
  resolvedText,
  rootNotes,
  changedRootsHeadline,
} from '../text/difference-roots';
import { Section, withoutControlCharacters } from '../wording';

/** The most characters of each part. A comment on GitHub has at most 65,536. */
const ROOM = { table: 10_000, effects: 15_000, findings: 10_000, details: 1_200 };
const LEAST_ROOM = 400;
const HEAD = ['Root', 'Change', 'Nodes', 'Pods', 'Per month', 'New errors', 'New warnings', 'Resolved'];
const PLAIN = createColors(false);

/** A difference of several roots as a comment for the pull request that makes the change. */
export function renderRootDifferencesMarkdown(given: RootDifferences): string {
  const differences = withoutControlCharacters(given);
  const { added, removed, acknowledged, assumptions } = commonParts(differences);
  const rows = differenceRows(differences).map((row) => row.map((cell) => prose(cell)));
  const { kept, left } = truncated(rows, ROOM.table, (row) => row.join(' | ').length + 6);
  const effects = equalRoots(differences, PLAIN);
  const room = Math.max(LEAST_ROOM, Math.floor(ROOM.effects / Math.max(1, effects.length)));
  const shown = effects.slice(0, Math.floor(ROOM.effects / LEAST_ROOM));
  const sections = [
    { title: 'Notes', lines: rootNotes(differences).map((note) => `  ${note}`) },
    resolvedFindings({ findings: { removed } }),
    describeAcknowledged({ acknowledged }),
    describeAssumptions({ assumptions }),
  ];
  return `${[
    `## ${prose(changedRootsHeadline(differences))}`,
    ...(rows.length === 0 ? [] : [prose(`${addedText(added, PLAIN)}; ${resolvedText(removed)}.`), table(HEAD, kept)]),
    ...(left === 0 ? [] : [prose(`and ${left} more roots (--format text prints all)`)]),
    ...shown.map((roots) => effectPart(roots, room)),
    ...findingsMarkdown({ findings: added }, ROOM.findings, 'new '),
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .map(({ title, lines }) => details(title, linesOf(lines, ROOM.details))),
    ...ruleLinks(added),
  ].join('\n\n')}\n`;
}

/** The sections of a root in one block, which is folded. */
function effectPart({ names, headlines, sections }: EqualRoots, room: number): string {
  const titled = ({ title, lines }: Section) => [title, ...lines];
  const body = sections.length === 0 ? [] : [linesOf(sections.flatMap(titled), room)];
  return details(names.join(', '), [...headlines.map(prose), ...body].join('\n\n'));
}
