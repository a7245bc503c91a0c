import { anchor, html, Markup, NOTHING, when } from './markup';
import { ScenarioReport } from '../../../disruption';
import { groupByScenario } from '../scenario/scenario-reports';
import { isAffected } from '../scenario/workloads';

/** The most workloads in the matrix, the most affected first. */
const MAX_ROWS = 40;

/** Workload by scenario: the fewest pods that stay ready, in the color of their share. */
export function scenarioMatrix(reports: readonly ScenarioReport[]): Markup {
  const scenarios = groupByScenario(reports);
  const rows = new Map<string, Map<string, Cell>>();
  for (const group of scenarios) {
    for (const { workload, replicas, lowestReady, ...effects } of group.flatMap(({ workloads }) => workloads)) {
      if (replicas === 0 || !isAffected({ workload, replicas, lowestReady, ...effects })) continue;
      const cells = rows.get(workload) ?? new Map<string, Cell>();
      rows.set(workload, cells);
      const before = cells.get(group[0].scenario);
      const isLower = before === undefined || lowestReady / replicas < before.lowestReady / before.replicas;
      if (isLower) cells.set(group[0].scenario, { lowestReady, replicas });
    }
  }
  if (rows.size === 0) return NOTHING;
  const lowest = (cells: ReadonlyMap<string, Cell>) =>
    Math.min(...[...cells.values()].map(({ lowestReady, replicas }) => lowestReady / replicas));
  const sorted = [...rows].sort(([a, left], [b, right]) => lowest(left) - lowest(right) || (a < b ? -1 : 1));
  const names = scenarios.map(([{ scenario }]) => scenario);
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="Ready pods by workload and scenario"><table class="mx"><caption>Fewest ready pods of each affected workload</caption><thead><tr><th scope="col">Workload</th>${names.map(
    (name) => html`<th scope="col"><a href="#${anchor('scenario', name)}">${name}</a></th>`,
  )}</tr></thead>
<tbody>${sorted.slice(0, MAX_ROWS).map(
    ([workload, cells]) => html`<tr><th scope="row">${workload}</th>${names.map((name) => cell(cells.get(name)))}</tr>
`,
  )}</tbody></table>${when(sorted.length > MAX_ROWS, () => html`<p class="soft pad">and ${sorted.length - MAX_ROWS} more workloads, less affected</p>`)}</div>
`;
}

interface Cell {
  readonly lowestReady: number;
  readonly replicas: number;
}

function cell(value: Cell | undefined): Markup {
  if (!value) return html`<td class="all">all</td>`;
  const lost = Math.round(100 * (1 - value.lowestReady / value.replicas));
  return html`<td style="--lost:${lost}%">${value.lowestReady} of ${value.replicas}</td>`;
}
