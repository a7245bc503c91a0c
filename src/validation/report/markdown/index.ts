import { createColors } from 'picocolors';
import { renderScenariosText, Told } from '../scenarios-text';
import { Section } from '../section';
import { countsText, outcome, sectionsOf, VerdictPart, withoutControlCharacters } from '../text';
import { Verdict } from '../verdict';
import { bounded } from './bounded';
import { findingsPart } from './findings';
import { block, details, prose } from './inline';
import { nodesPart } from './nodes';

/** Characters that each part may take: together fewer than the 65,536 of a comment on GitHub. */
const ROOM = { findings: 26_000, pods: 9_000, nodes: 7_000, details: 3_500, scenario: 8_000 };
const PLAIN = createColors(false);

/** The verdict for a pull request or the summary of a job: the outcome first, and behind a click what few want to know. */
export function renderMarkdown(rawVerdict: Verdict, played?: Told): string {
  const verdict = withoutControlCharacters(rawVerdict);
  return `${[
    `## ${prose(outcome(verdict))}`,
    prose(countsText(verdict, PLAIN)),
    ...told('pods-without-node', verdict).flatMap(({ title, lines }) => [`### ${title}`, linesOf(lines, ROOM.pods)]),
    ...findingsPart(verdict, ROOM.findings),
    ...played ? [scenarioPart(played)] : [],
    ...nodesPart(verdict, ROOM.nodes),
    ...(['node-pools', 'stories', 'capacity-buffers', 'assumptions'] as const).flatMap((part) => detailsOf(part, verdict)),
  ].join('\n\n')}\n`;
}

function scenarioPart(played: Told): string {
  return `### What becomes of it\n\n${linesOf(renderScenariosText(played).trimEnd().split('\n'), ROOM.scenario)}`;
}

function detailsOf(part: VerdictPart, verdict: Verdict): string[] {
  return told(part, verdict).map(({ title, lines }) => details(title, linesOf(lines, ROOM.details)));
}

function told(part: VerdictPart, verdict: Verdict): Section[] {
  return sectionsOf(part, verdict, PLAIN).filter(({ lines }) => lines.length > 0);
}

function linesOf(lines: Section['lines'], room: number): string {
  const { kept, left } = bounded(lines, room, ({ length }) => length + 1);
  return block([...kept, ...left === 0 ? [] : [`and ${left} lines more: --format text has them`]]);
}
