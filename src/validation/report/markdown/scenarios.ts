import { createColors } from 'picocolors';
import { details, prose, table } from './inline';
import { linesOf } from './size-limit';
import { printableReports, groupByScenario, ScenarioReports } from '../scenario/scenario-reports';
import { summaryTitle, summarizeScenarios, summaryHead } from '../scenario/summary';
import { renderScenariosText, reportBlocks, notesSections } from '../scenario/text';

/** The most characters of a single scenario, of several scenarios together, and of each section of notes. */
const ROOM = { single: 8_000, several: 16_000, notes: 2_000 };
const PLAIN = createColors(false);

/**
 * The impact of scenarios on nodes and pods. Several scenarios are summarized in a table; the reports of each are
 * collapsed.
 */
export function scenariosMarkdown(result: ScenarioReports): string[] {
  const heading = '### Impact';
  if (result.notSimulated === undefined)
    return [`${heading}\n\n${linesOf(renderScenariosText(result).trimEnd().split('\n'), ROOM.single)}`];
  const printable = printableReports(result);
  const summaries = summarizeScenarios(printable);
  const scenarios = groupByScenario(printable.reports);
  const head = summaryHead(printable);
  const linesFor = (index: number) => reportBlocks(scenarios[index], PLAIN, printable).join('\n\n').split('\n');
  return [
    heading,
    table(
      head,
      summaries.map((summary) => rowOf(summaryTitle(summary), summary.cells, head.length)),
    ),
    ...scenarios.map((_, index) =>
      details(summaryTitle(summaries[index]), linesOf(linesFor(index), Math.floor(ROOM.several / scenarios.length))),
    ),
    ...notesSections(printable).map(({ title, lines }) => details(`${title} in scenarios`, linesOf(lines, ROOM.notes))),
  ];
}

/** A skipped scenario has its reason in the last column. */
function rowOf(name: string, cells: readonly string[], columns: number): string[] {
  const empty = Array.from({ length: columns - 1 - cells.length }, () => '');
  return [name, ...empty, ...cells].map(prose);
}
