import { createColors } from 'picocolors';
import { ScenarioReports } from '../scenario/scenario-reports';
import { describeFilledNodes } from '../text/nodes';
import { countsText, outcome, sectionsOf, VerdictPart } from '../text/verdict';
import { Verdict } from '../verdict';
import { Section, withoutControlCharacters } from '../wording';
import { findingsPart } from './findings';
import { details, prose } from './inline';
import { nodesPart } from './nodes';
import { scenariosPart } from './scenarios';
import { linesOf, MAX_LENGTH } from './size-limit';

/** The most characters of each part. Findings get the room that is left. */
const ROOM = { pods: 8_000, nodes: 6_000, details: 3_000 };
const PLAIN = createColors(false);

/** The verdict for a pull request or a job summary: the outcome first, details collapsed. */
export function renderMarkdown(rawVerdict: Verdict, scenarios?: ScenarioReports): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const before = [
    `## ${prose(outcome(verdict))}`,
    prose(countsText(verdict, PLAIN)),
    ...withLines(sectionsOf('pods-without-node', verdict, PLAIN)).flatMap(({ title, lines }) => [`### ${title}`, linesOf(lines, ROOM.pods)]),
  ];
  const after = [
    ...scenarios ? scenariosPart(scenarios) : [],
    ...nodesPart(verdict, ROOM.nodes),
    ...withLines(detailsOf(verdict)).map(({ title, lines }) => details(title, linesOf(lines, ROOM.details))),
  ];
  const room = MAX_LENGTH - [...before, ...after].reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart(verdict, room), ...after].join('\n\n')}\n`;
}

function detailsOf(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['acknowledged', 'node-pools', 'placements', 'capacity-buffers', 'assumptions'];
  return [describeFilledNodes(verdict), ...parts.flatMap((part) => sectionsOf(part, verdict, PLAIN))];
}

function withLines(sections: readonly Section[]): Section[] {
  return sections.filter(({ lines }) => lines.length > 0);
}
