import { nameOf, ScenarioSummary, summariesOf, SUMMARY_HEAD } from '../scenario-summary';
import { Told } from '../told';
import { html, Markup, NOTHING } from './markup';

/** A row for each of several scenarios, which leads to what is told of it. */
export function summaryTable(played: Told): Markup {
  return html`<div class="wide"><table><thead><tr>${SUMMARY_HEAD.map((title, at) => html`<th${styleOf(at)}>${title}</th>`)}</tr></thead>
<tbody>${summariesOf(played).map(row)}</tbody></table></div>
`;
}

function row(summary: ScenarioSummary): Markup {
  const { scenario, times, cells } = summary;
  return times === 0 ? html`<tr class="soft"><td>${scenario}</td><td colspan="${SUMMARY_HEAD.length - 1}">${cells}</td></tr>
` : html`<tr><td><a href="#${scenario}">${nameOf(summary)}</a></td>${cells.map((cell, at) => html`<td${styleOf(at + 1)}>${cell}</td>`)}</tr>
`;
}

/** Between names and sentences there are figures. */
function styleOf(column: number): Markup {
  return column === 0 || column === SUMMARY_HEAD.length - 1 ? NOTHING : html` class="number"`;
}
