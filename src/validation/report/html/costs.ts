import { html, Markup } from './markup';
import { CostAllocation } from '../../vocabulary/cost-allocation';
import { costTable } from '../costs/cost-table';

/** More rows are one row. */
const MAX_ROWS = 500;

/** Who pays for the nodes, as a table, and what its columns are. */
export function costsPart(costs: CostAllocation): Markup {
  const { title, head, rows, notes } = costTable(costs, MAX_ROWS);
  const [first, ...columns] = head;
  const sentences = notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`);
  return html`<section id="costs" class="sec" aria-labelledby="h-costs"><header><h2 id="h-costs">${title}</h2></header><div class="card"><div class="tw"><table class="wt"><thead><tr><th scope="col">${first}</th>${columns.map((column) => html`<th scope="col" class="r">${column}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td class="r">${cell}</td>`)}</tr>`)}</tbody></table></div><p class="soft pad">${sentences.join(' ')}</p></div></section>
`;
}
