import { ScenarioReport, WorkloadReport } from '../../../disruption';
import { groupByScenario, mostSevere, ScenarioReports } from '../scenario/scenario-reports';
import { ScenarioSummary, scenarioTitle, summarizeScenarios, SUMMARY_HEAD } from '../scenario/summary';
import { CANNOT_HAPPEN, describeTimeline, titleOf, unresolvedLines } from '../scenario/text';
import { isAffected, selectWorkloads } from '../scenario/workloads';
import { clock } from '../wording';
import { html, Markup, NOTHING, when } from './markup';
import { timeSeriesChart } from './time-series-chart';

/** The impact of scenarios on nodes and pods. Of many reports, the most severe are shown. */
export function scenariosPart(result: ScenarioReports): Markup {
  const { reports, notPlayed } = result;
  return html`<section><h2>Impact</h2>
${notPlayed === undefined ? singlePart(result) : html`${summaryTable(result)}${notEvaluatedPart(result)}
${groupByScenario(reports).map(scenarioPart)}`}</section>`;
}

/** The reports of a single scenario. */
function singlePart(result: ScenarioReports): Markup {
  const { reports } = result;
  const { summary, printed } = mostSevere(reports);
  return html`${when(reports.length === 0, () => html`<p>${CANNOT_HAPPEN}</p>`)}${summaryPart(summary)}${notEvaluatedPart(result)}
${printed.map((report, index) => reportPart(report, `course-${index}`))}`;
}

function scenarioPart(reports: readonly ScenarioReport[]): Markup {
  const [{ scenario }] = reports;
  const { summary, printed } = mostSevere(reports);
  return html`<div id="${scenario}">${summaryPart(summary)}
${printed.map((report, index) => reportPart(report, `course-${scenario}-${index}`))}</div>
`;
}

function summaryPart([heading, ...counts]: readonly string[]): Markup {
  return heading === undefined ? NOTHING : html`<p>${heading}</p>${list(counts.map((line) => line.trim()))}`;
}

function notEvaluatedPart({ notEvaluated }: ScenarioReports): Markup {
  return when(notEvaluated.length > 0, () => html`<h3>Not evaluated</h3>${list(notEvaluated)}`);
}

function list(texts: readonly string[]): Markup {
  return texts.length === 0 ? NOTHING : html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function reportPart(report: ScenarioReport, chartId: string): Markup {
  const { printed, summary } = selectWorkloads(report.workloads);
  const unresolved = unresolvedLines(report);
  return html`<h3>${titleOf(report)}</h3>
${unresolved.map((line) => html`<article class="card of-error">${line}</article>`)}
${timeSeriesChart(chartId, report)}
${printed.length === 0 ? NOTHING : html`<div class="wide"><table><thead><tr><th>Workload</th><th class="number">Fewest ready</th><th class="number">Replicas</th><th class="number">Evictions</th><th class="number">Below its PodDisruptionBudget</th></tr></thead>
<tbody>${printed.map(workloadRow)}</tbody></table></div>`}${summary.map((line) => html`<p class="soft">${line}</p>`)}
${report.timeline.length === 0 ? NOTHING : html`<details><summary>Timeline</summary><pre>${describeTimeline(report.timeline).join('\n')}</pre></details>`}
`;
}

function workloadRow(report: WorkloadReport): Markup {
  const { workload, lowestReady, replicas, evictions, secondsBelowBudget } = report;
  const style = lowestReady === 0 && replicas > 0 && isAffected(report) ? 'error' : lowestReady < replicas ? 'warning' : 'good';
  return html`<tr><td>${workload}</td><td class="number ${style}">${lowestReady}</td><td class="number">${replicas}</td><td class="number">${evictions}</td><td class="number">${
    secondsBelowBudget === undefined ? '–' : secondsBelowBudget === 0 ? 'never' : clock(secondsBelowBudget)}</td></tr>
`;
}

/** One row for each scenario, with a link to its reports. */
function summaryTable(result: ScenarioReports): Markup {
  return html`<div class="wide"><table><thead><tr>${SUMMARY_HEAD.map((title, column) => html`<th${styleOf(column)}>${title}</th>`)}</tr></thead>
<tbody>${summarizeScenarios(result).map(summaryRow)}</tbody></table></div>
`;
}

function summaryRow(summary: ScenarioSummary): Markup {
  const { scenario, times, cells } = summary;
  return times === 0 ? html`<tr class="soft"><td>${scenario}</td><td colspan="${SUMMARY_HEAD.length - 1}">${cells}</td></tr>
` : html`<tr><td><a href="#${scenario}">${scenarioTitle(summary)}</a></td>${cells.map((cell, index) => html`<td${styleOf(index + 1)}>${cell}</td>`)}</tr>
`;
}

/** The columns between the scenario and its impact contain numbers. */
function styleOf(column: number): Markup {
  return column === 0 || column === SUMMARY_HEAD.length - 1 ? NOTHING : html` class="number"`;
}
