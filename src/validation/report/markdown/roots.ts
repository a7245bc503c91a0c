import { createColors } from 'picocolors';
import { findingsPart } from './findings';
import { details, prose, table } from './inline';
import { linesOf, MAX_LENGTH } from './size-limit';
import { describeAcknowledged } from '../text/acknowledged';
import { acknowledgedOfRoots, findingsOfRoots, ROOT_HEAD, rootRow, RootVerdict, shortNames } from '../text/roots';
import { countsText } from '../text/verdict';
import { Verdict } from '../verdict';
import { withoutControlCharacters } from '../wording';

/** The most characters of the list of acknowledged findings. */
const ACKNOWLEDGED_ROOM = 3_000;

/** A table with a line for each root, and the findings of all roots. */
export function renderRootsMarkdown(given: readonly RootVerdict[]): string {
  const roots = shortNames(withoutControlCharacters(given));
  const findings = findingsOfRoots(roots);
  const acknowledged = acknowledgedOfRoots(roots);
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const summary = { errors: count('error'), warnings: count('warning'), infos: count('info') };
  const before = [
    `## ${roots.length} roots are deployed separately`,
    prose(countsText({ summary, findings, ...acknowledged.length > 0 ? { acknowledged } : {} } as unknown as Verdict, createColors(false))),
    table([...ROOT_HEAD], roots.map((root) => rootRow(root).map(prose))),
  ];
  const { title, lines } = describeAcknowledged({ acknowledged });
  const after = lines.length === 0 ? [] : [details(title, linesOf(lines, ACKNOWLEDGED_ROOM))];
  const room = MAX_LENGTH - [...before, ...after].reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart({ findings } as unknown as Verdict, room), ...after].join('\n\n')}\n`;
}
