import { createColors } from 'picocolors';
import { nameOf, summariesOf, SUMMARY_HEAD } from '../scenario-summary';
import { renderScenariosText, reportBlocks, restOf } from '../scenarios-text';
import { printableTold, scenariosOf, Told } from '../told';
import { details, prose, table } from './inline';
import { linesOf } from './room';

/** Characters that one scenario may take at most, and several together; what is said of all of these. */
const ROOM = { one: 8_000, several: 16_000, rest: 2_000 };
const PLAIN = createColors(false);

/** What becomes of nodes and pods as time passes: of several scenarios in a table, and each behind a click. */
export function scenariosPart(played: Told): string[] {
  const heading = '### What becomes of it';
  if (played.notPlayed === undefined) return [`${heading}\n\n${linesOf(renderScenariosText(played).trimEnd().split('\n'), ROOM.one)}`];
  const told = printableTold(played);
  const summaries = summariesOf(told);
  const scenarios = scenariosOf(told.reports);
  const linesFor = (at: number) => reportBlocks(scenarios[at], PLAIN).join('\n\n').split('\n');
  return [
    heading,
    table(SUMMARY_HEAD, summaries.map((summary) => rowOf(nameOf(summary), summary.cells))),
    ...scenarios.map((_, at) => details(nameOf(summaries[at]), linesOf(linesFor(at), Math.floor(ROOM.several / scenarios.length)))),
    ...restOf(told).map(({ title, lines }) => details(`${title} in scenarios`, linesOf(lines, ROOM.rest))),
  ];
}

/** Where nothing is played the last column says why. */
function rowOf(name: string, cells: readonly string[]): string[] {
  const empty = Array.from({ length: SUMMARY_HEAD.length - 1 - cells.length }, () => '');
  return [name, ...empty, ...cells].map(prose);
}
