import { createColors } from 'picocolors';
import { describeAssumptions } from '../text/assumptions';
import { changeSections, resolvedFindings, headlines, isUnchanged, UNCHANGED } from '../text/difference';
import { withoutControlCharacters } from '../wording';
import { findingsPart } from './findings';
import { details, prose } from './inline';
import { linesOf, MAX_LENGTH } from './size-limit';
import { Difference } from '../../difference/difference';

/** The most characters of each part. Findings get the room that is left. */
const ROOM = { effect: 8_000, details: 3_000 };

/** A difference as a comment for the pull request that makes the change. */
export function renderDifferenceMarkdown(rawDifference: Difference): string {
  const difference = withoutControlCharacters(rawDifference);
  if (isUnchanged(difference)) return `## ${UNCHANGED}\n`;
  const [outcome, ...more] = headlines(difference, createColors(false));
  const before = [
    `## ${prose(outcome)}`,
    ...more.map(prose),
    ...changeSections(difference).filter(({ lines }) => lines.length > 0).map(({ title, lines }) => `### ${title}\n\n${linesOf(lines, ROOM.effect)}`),
  ];
  const after = [resolvedFindings(difference), describeAssumptions(difference)].filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => details(title, linesOf(lines, ROOM.details)));
  const room = MAX_LENGTH - [...before, ...after].reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart({ findings: difference.findings.added }, room, 'new '), ...after].join('\n\n')}\n`;
}
