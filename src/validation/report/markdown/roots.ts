import { createColors } from 'picocolors';
import { findingsPart } from './findings';
import { prose, table } from './inline';
import { MAX_LENGTH } from './size-limit';
import { findingsOfRoots, ROOT_HEAD, rootRow, RootVerdict, shortNames } from '../text/roots';
import { countsText } from '../text/verdict';
import { Verdict } from '../verdict';
import { withoutControlCharacters } from '../wording';

/** A table with a line for each root, and the findings of all roots. */
export function renderRootsMarkdown(given: readonly RootVerdict[]): string {
  const roots = shortNames(withoutControlCharacters(given));
  const findings = findingsOfRoots(roots);
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const summary = { errors: count('error'), warnings: count('warning'), infos: count('info') };
  const before = [
    `## ${roots.length} roots are deployed separately`,
    prose(countsText({ summary, findings } as unknown as Verdict, createColors(false))),
    table([...ROOT_HEAD], roots.map((root) => rootRow(root).map(prose))),
  ];
  const room = MAX_LENGTH - before.reduce((sum, { length }) => sum + length, 0);
  return `${[...before, ...findingsPart({ findings } as unknown as Verdict, room)].join('\n\n')}\n`;
}
