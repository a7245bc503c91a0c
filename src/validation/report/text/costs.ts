import { Layout } from './layout';
import { printedLength } from '../../../model';
import { CostAllocation } from '../../vocabulary/cost-allocation';
import { costTable } from '../costs/cost-table';

/** The most rows without `verbose`. */
const MAX_ROWS = 20;
/** Longer names are cut, so that the amounts fit on the line. */
const MAX_NAME = 40;
const GAP = '  ';

/** The table of who pays, and what its columns are. */
export function describeCosts(costs: CostAllocation, layout: Layout): string {
  const { title, head, rows, notes } = costTable(costs, layout.verbose ? Infinity : MAX_ROWS);
  const cut = [head, ...rows].map(([name, ...amounts]) => [layout.cut(name, MAX_NAME), ...amounts]);
  const widths = head.map((_, column) => Math.max(...cut.map((cells) => printedLength(cells[column]))));
  const lines = cut.map((cells) =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat(widths[column] - printedLength(cell));
        return column === 0 ? `${cell}${space}` : `${space}${cell}`;
      })
      .join(GAP),
  );
  return [
    layout.colors.bold(title),
    ...lines.map((line) => `${GAP}${line}`),
    ...notes.map((note) => layout.wrap(`${GAP}${note}.`)),
  ].join('\n');
}
