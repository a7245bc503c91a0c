import { createColors } from 'picocolors';
import { countText } from '../../../model';
import { CostAllocation, Verdict } from '../../vocabulary/verdict';
import { aboveBoundSentences, aboveBoundTitle } from '../bound-gap';
import { costTable } from '../costs/cost-table';
import { ScenarioReports } from '../scenario/scenario-reports';
import { headline } from '../text/headline';
import { Layout } from '../text/layout';
import { describeNodeTable } from '../text/node-table';
import { describeFilledNodes } from '../text/nodes';
import { sectionsOf, VerdictPart } from '../text/verdict';
import { Section, withoutControlCharacters } from '../wording';
import { findingsMarkdown, ruleLinks } from './findings';
import { details, prose, table } from './inline';
import { nodePoolsPart } from './node-pools';
import { scenariosMarkdown } from './scenarios';
import { linesOf } from './size-limit';

/** The most characters of each part. */
const ROOM = { pods: 2_500, findings: 5_000, nodes: 2_500, details: 1_200, placements: 4_000 };
const MAX_COST_ROWS = 15;
const PLAIN = createColors(false);

/**
 * The verdict for a pull request or a job summary: the outcome and a table of NodePools. Errors and pods without a node
 * are open, other details collapsed.
 */
export function renderMarkdown(rawVerdict: Verdict, scenarios?: ScenarioReports): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const [outcome, ...basis] = headline(verdict, PLAIN);
  const findings = findingsMarkdown(verdict, ROOM.findings);
  return `${[
    `## ${prose(outcome)}`,
    ...nodePoolsPart(verdict),
    ...basis.map(prose),
    ...withLines(sectionsOf('pods-without-node', verdict, PLAIN)).map(({ title, lines }) =>
      details(title, linesOf(lines, ROOM.pods), true),
    ),
    ...findings,
    ...nodesPart(verdict),
    ...(verdict.costs === undefined ? [] : [costsPart(verdict.costs)]),
    ...aboveBoundPart(verdict),
    ...(scenarios ? scenariosMarkdown(scenarios) : []),
    ...withLines(detailsOf(verdict)).map(({ title, lines }) =>
      details(title, linesOf(lines, title === 'Placements' ? ROOM.placements : ROOM.details)),
    ),
    ...ruleLinks(verdict.findings),
  ].join('\n\n')}\n`;
}

/** The table of the text report. */
function nodesPart(verdict: Verdict): string[] {
  const lines = describeNodeTable(verdict, new Layout());
  return lines.length === 0 ? [] : [details(countText(verdict.nodes.length, 'node'), linesOf(lines, ROOM.nodes))];
}

function costsPart(costs: CostAllocation): string {
  const { title, head, rows, notes } = costTable(costs, MAX_COST_ROWS);
  const cells = rows.map(([name, ...amounts]) => [prose(name), ...amounts]);
  return details(title, [table(head.map(prose), cells), ...notes.map((note) => prose(`${note}.`))].join('\n\n'), true);
}

function aboveBoundPart(verdict: Verdict): string[] {
  const sentences = aboveBoundSentences(verdict).map((sentence) => `- ${prose(sentence)}`);
  return sentences.length === 0 ? [] : [details(aboveBoundTitle(verdict), sentences.join('\n'))];
}

function detailsOf(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['acknowledged', 'node-pools', 'placements', 'capacity-buffers', 'assumptions'];
  return [describeFilledNodes(verdict), ...parts.flatMap((part) => sectionsOf(part, verdict, PLAIN))];
}

function withLines(sections: readonly Section[]): Section[] {
  return sections.filter(({ lines }) => lines.length > 0);
}
