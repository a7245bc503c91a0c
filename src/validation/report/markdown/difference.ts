import { createColors } from 'picocolors';
import { findingsMarkdown, ruleLinks } from './findings';
import { code, details, prose, table } from './inline';
import { linesOf } from './size-limit';
import { monthlyAmountText, numberText, stepsText } from '../../../model';
import { Difference } from '../../difference/difference';
import { costChanges, costChangesTitle } from '../costs/cost-changes';
import { describeAcknowledged } from '../text/acknowledged';
import { describeAssumptions } from '../text/assumptions';
import { changeSections, resolvedFindings, headlines, isUnchanged, UNCHANGED } from '../text/difference';
import { withoutControlCharacters } from '../wording';

/** The most characters of each part. */
const ROOM = { effect: 3_000, findings: 5_000, details: 1_200 };

/** Sections that reviewers must not miss. */
const OPEN: readonly string[] = ['Nodes that drift', 'Pods that no longer fit'];
const HEAD = ['NodePool', 'New nodes', 'Per month'];
const MAX_ROWS = 20;
const COST_HEAD = ['', 'Before', 'After', 'Change'];

/** A difference as a comment for the pull request that makes the change. */
export function renderDifferenceMarkdown(rawDifference: Difference): string {
  const difference = withoutControlCharacters(rawDifference);
  if (isUnchanged(difference)) return `## ${UNCHANGED}\n`;
  const [outcome, ...more] = headlines(difference, createColors(false));
  const before = [
    `## ${prose(outcome)}`,
    ...more.map(prose),
    ...nodePoolsTable(difference),
    ...costsTable(difference),
    ...changeSections(difference)
      .filter(({ lines }) => lines.length > 0)
      .map(({ title, lines }) => details(title, linesOf(lines, ROOM.effect), OPEN.includes(title))),
  ];
  const after = [resolvedFindings(difference), describeAcknowledged(difference), describeAssumptions(difference)]
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => details(title, linesOf(lines, ROOM.details)));
  const findings = findingsMarkdown({ findings: difference.findings.added }, ROOM.findings, 'new ');
  return `${[...before, ...findings, ...after, ...ruleLinks(difference.findings.added)].join('\n\n')}\n`;
}

/** Who pays more or less. */
function costsTable(difference: Difference): string[] {
  const rows = costChanges(difference);
  if (difference.costs === undefined || rows.length === 0) return [];
  const cells = rows.map(({ name, before, after, change }) => [code(name), prose(before), prose(after), prose(change)]);
  return [details(costChangesTitle(difference.costs), table(COST_HEAD, cells))];
}

/** The nodes and prices of the NodePools whose nodes change. */
function nodePoolsTable({
  nodePools,
  summary: {
    after: {
      cost: { currency },
    },
  },
}: Difference): string[] {
  const rows = nodePools.filter(
    ({ nodes, usdPerHour }) => nodes.before !== nodes.after || usdPerHour.before !== usdPerHour.after,
  );
  if (rows.length === 0) return [];
  const price = (usdPerHour: number) => monthlyAmountText(usdPerHour, currency);
  return [
    table(
      HEAD,
      rows
        .slice(0, MAX_ROWS)
        .map(({ name, nodes, usdPerHour }) => [
          code(name),
          stepsText(numberText(nodes.before), numberText(nodes.after)),
          prose(stepsText(price(usdPerHour.before), price(usdPerHour.after))),
        ]),
    ),
  ];
}
