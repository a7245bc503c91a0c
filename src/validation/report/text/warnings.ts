import { frameTitle } from './frames';
import { Layout } from './layout';
import { countText } from '../../../model';
import { displayName, messageWithObject, nameOf } from '../../vocabulary/subject';
import { Finding, Verdict } from '../../vocabulary/verdict';
import { groupByRule } from '../finding-groups';
import { PRINT_ALL } from '../wording';

/** The most places of one rule that are named. */
const MAX_PLACES = 3;
/** The most lines of a message and of a remedy. */
const MAX_LINES = 2;

/** The warnings of each rule together: the most expensive workload first, with its message and remedy. */
export function describeWarnings(
  { findings, workloads }: Pick<Verdict, 'findings' | 'workloads'>,
  layout: Layout,
): string[] {
  return groupByRule(
    findings.filter(({ severity }) => severity === 'warning'),
    workloads,
  ).map((group) => {
    const [{ remedy }] = group;
    return [
      layout.firstLines(`${frameTitle(group[0], group.length, layout)} ${messageWithObject(group[0])}`, MAX_LINES),
      ...(group[0].location.file === '' ? [] : [layout.wrap(`  ${layout.colors.cyan('-->')} ${placesText(group)}`)]),
      layout.firstLines(`  help: ${remedy}`, MAX_LINES),
    ].join('\n');
  });
}

/** The notes as counts in one line. */
export function describeInfos(findings: readonly Finding[], layout: Layout): string[] {
  const infos = findings.filter(({ severity }) => severity === 'info');
  if (infos.length === 0) return [];
  const counts = groupByRule(infos, []).map(
    ([{ rule }, ...others]) => `${rule}${others.length === 0 ? '' : ` × ${others.length + 1}`}`,
  );
  return [layout.wrap(`${countText(infos.length, 'note')}: ${counts.join(', ')}${PRINT_ALL}`)];
}

/** `b.yaml:9:1`, or `b.yaml:9 (shop/web), :12 (shop/api)` with the first places of several. */
function placesText(findings: readonly Finding[]): string {
  const [{ location }] = findings;
  if (findings.length === 1) return `${displayName(location.file)}:${location.line}:${location.column}`;
  let file: string | undefined;
  return findings
    .slice(0, MAX_PLACES)
    .map(({ subject, location: place }) => {
      const path = place.file === file ? '' : displayName(place.file);
      file = place.file;
      return `${path}:${place.line}${subject.kind === '' ? '' : ` (${nameOf(subject)})`}`;
    })
    .join(', ');
}
