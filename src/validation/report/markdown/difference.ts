import { createColors } from 'picocolors';
import { describeAssumptions } from '../assumptions-text';
import { effects, gone, headlines, isNothing, NOTHING } from '../difference-text';
import { withoutControlCharacters } from '../text';
import { findingsPart } from './findings';
import { details, prose } from './inline';
import { linesOf, MOST } from './room';
import { Difference } from '../../difference/difference';

/** Characters that a part may take at most; findings have what the others leave. */
const ROOM = { effect: 8_000, details: 3_000 };

/** What a change does, for its pull request. */
export function renderDifferenceMarkdown(rawDifference: Difference): string {
  const difference = withoutControlCharacters(rawDifference);
  if (isNothing(difference)) return `## ${NOTHING}\n`;
  const [outcome, ...more] = headlines(difference, createColors(false));
  const before = [
    `## ${prose(outcome)}`,
    ...more.map(prose),
    ...effects(difference).filter(({ lines }) => lines.length > 0).map(({ title, lines }) => `### ${title}\n\n${linesOf(lines, ROOM.effect)}`),
  ];
  const after = [gone(difference), describeAssumptions(difference)].filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => details(title, linesOf(lines, ROOM.details)));
  const room = MOST - [...before, ...after].reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart({ findings: difference.findings.added }, room, 'new '), ...after].join('\n\n')}\n`;
}
