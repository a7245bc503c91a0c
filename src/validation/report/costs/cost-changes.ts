import { rowNameOf } from './cost-table';
import { fixedText, moreText, stepsText } from '../../../model';
import { CostDifference, CostRowDifference, Difference } from '../../difference/difference';

/** The most rows. The others are one row. */
const MAX_ROWS = 10;
const CENTS = 2;

export interface CostChange {
  readonly name: string;
  /** `-` if the row has no cost there. */
  readonly before: string;
  readonly after: string;
  /** With a sign. */
  readonly change: string;
}

/** Who pays more or less, in a month. Empty if nobody does. */
export function costChanges({ costs }: Difference): CostChange[] {
  if (costs === undefined) return [];
  const { rows, by, currency } = costs;
  const shown = rows.length > MAX_ROWS + 1 ? rows.slice(0, MAX_ROWS) : rows;
  const others = rows.slice(shown.length);
  return [
    ...shown.map((row) => changeOf({ ...row, name: rowNameOf(row.name, by) }, currency)),
    ...(others.length === 0 ? [] : [changeOf(sumOf(others), currency)]),
  ];
}

/** `Cost by workload, a month`. */
export function costChangesTitle({ by }: CostDifference): string {
  return `Cost by ${by.replace(/^label:/, 'label ')}, a month`;
}

/** `  shop/web: $70.08 → $105.12 (+$35.04)`. */
export function costChangeLines(difference: Difference): string[] {
  return costChanges(difference).map(
    ({ name, before, after, change }) => `  ${name}: ${stepsText(before, after)} (${change})`,
  );
}

function changeOf({ name, before, after, change }: CostRowDifference, currency: string): CostChange {
  const text = (amount: number) =>
    amount === 0 ? '-' : `${currency === 'USD' ? '$' : `${currency} `}${fixedText(Math.abs(amount), CENTS)}`;
  return { name, before: text(before), after: text(after), change: `${change < 0 ? '-' : '+'}${text(change)}` };
}

function sumOf(rows: readonly CostRowDifference[]): CostRowDifference {
  const sum = (value: (row: CostRowDifference) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    name: moreText(rows.length),
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    change: sum(({ change }) => change),
  };
}
