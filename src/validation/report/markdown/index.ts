import { createColors } from 'picocolors';
import { describeFilledNodes } from '../nodes-text';
import { Section } from '../section';
import { countsText, outcome, sectionsOf, VerdictPart, withoutControlCharacters } from '../text';
import { Told } from '../told';
import { Verdict } from '../verdict';
import { findingsPart } from './findings';
import { details, prose } from './inline';
import { nodesPart } from './nodes';
import { linesOf, MOST } from './room';
import { scenariosPart } from './scenarios';

/** Characters that a part may take at most; findings have what the others leave. */
const ROOM = { pods: 8_000, nodes: 6_000, details: 3_000 };
const PLAIN = createColors(false);

/** The verdict for a pull request or the summary of a job: the outcome first, and behind a click what few want to know. */
export function renderMarkdown(rawVerdict: Verdict, played?: Told): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const before = [
    `## ${prose(outcome(verdict))}`,
    prose(countsText(verdict, PLAIN)),
    ...told(sectionsOf('pods-without-node', verdict, PLAIN)).flatMap(({ title, lines }) => [`### ${title}`, linesOf(lines, ROOM.pods)]),
  ];
  const after = [
    ...played ? scenariosPart(played) : [],
    ...nodesPart(verdict, ROOM.nodes),
    ...told(detailsOf(verdict)).map(({ title, lines }) => details(title, linesOf(lines, ROOM.details))),
  ];
  const room = MOST - [...before, ...after].reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart(verdict, room), ...after].join('\n\n')}\n`;
}

function detailsOf(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['node-pools', 'stories', 'capacity-buffers', 'assumptions'];
  return [describeFilledNodes(verdict), ...parts.flatMap((part) => sectionsOf(part, verdict, PLAIN))];
}

function told(sections: readonly Section[]): Section[] {
  return sections.filter(({ lines }) => lines.length > 0);
}
