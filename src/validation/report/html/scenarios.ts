import { anchor, html, Markup, NOTHING, when } from './markup';
import { scenarioMatrix } from './scenario-matrix';
import { thinned, timeSeriesChart } from './time-series-chart';
import { ScenarioReport, WorkloadReport, Stays } from '../../../disruption';
import { roundedDurationText, shortListText } from '../../../model';
import { groupByScenario, mostSevere, ScenarioReports } from '../scenario/scenario-reports';
import {
  changeLines,
  eventText,
  groupWhy,
  leftText,
  nodeText,
  printedGroups,
  StayGroup,
  staysHeadline,
} from '../scenario/stays';
import { ScenarioSummary, summaryTitle, summarizeScenarios, summaryHead } from '../scenario/summary';
import {
  CANNOT_HAPPEN,
  describeFallback,
  describeRollout,
  describeTimeline,
  scenarioTitle,
  unresolvedLines,
} from '../scenario/text';
import { isAffected, selectWorkloads } from '../scenario/workloads';

/** The columns of the summary. */
const COLUMNS = 5;

/** The impact of scenarios on nodes and pods. Of many reports, the most severe are shown. */
export function scenariosPart(result: ScenarioReports): Markup {
  const { reports, notSimulated } = result;
  return html`<section id="scenarios" class="sec" aria-labelledby="h-scenarios"><header><h2 id="h-scenarios">Scenarios</h2><p>What Karpenter does to the nodes, and how many pods stay ready meanwhile.</p></header>
${
  notSimulated === undefined
    ? singlePart(result)
    : html`${scenarioMatrix(reports)}${summaryTable(result)}${notEvaluatedPart(result)}
${groupByScenario(reports).map((group) => scenarioPart(group, result))}`
}</section>`;
}

/** The reports of a single scenario. */
function singlePart(result: ScenarioReports): Markup {
  const { reports } = result;
  const { summary, printed } = mostSevere(reports);
  return html`${when(reports.length === 0, () => html`<p>${CANNOT_HAPPEN}</p>`)}${summaryPart(summary)}${notEvaluatedPart(result)}
${printed.map((report, index) => reportPart(report, `course-${index}`, result))}`;
}

function scenarioPart(reports: readonly ScenarioReport[], result: ScenarioReports): Markup {
  const [{ scenario }] = reports;
  const { summary, printed } = mostSevere(reports);
  return html`<div id="${anchor('scenario', scenario)}">${summaryPart(summary)}
${printed.map((report, index) => reportPart(report, `course-${scenario}-${index}`, result))}</div>
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

function reportPart(report: ScenarioReport, chartId: string, result: ScenarioReports): Markup {
  const { printed, summary } = selectWorkloads(report.workloads);
  const unresolved = unresolvedLines(report);
  const { rollout, fallback } = report;
  const effects = [
    ...(rollout ? describeRollout(report, rollout, result.currency) : []),
    ...(fallback ? describeFallback(fallback) : []),
  ];
  const chart = timeSeriesChart(chartId, report);
  return html`<article class="card pc"><h3>${scenarioTitle(report, result)}</h3>
${unresolved.map((line) => html`<p class="bad">${line}</p>`)}${list(effects)}${report.stays ? staysPart(report.stays, result.currency) : NOTHING}
${chart === NOTHING ? NOTHING : html`<figure class="course" data-course="${courseData(report)}">${chart}</figure>`}
${
  printed.length === 0
    ? NOTHING
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Workloads"><table class="grid"><thead><tr><th>Workload</th><th class="r">Fewest ready</th><th class="r">Replicas</th><th class="r">Evictions</th><th class="r">Below its PodDisruptionBudget</th></tr></thead>
<tbody>${printed.map(workloadRow)}</tbody></table></div>`
}${summary.map((line) => html`<p class="soft">${line}</p>`)}
${report.timeline.length === 0 ? NOTHING : html`<details><summary>Timeline</summary><pre tabindex="0">${describeTimeline(report.timeline).join('\n')}</pre></details>`}</article>
`;
}

function workloadRow(report: WorkloadReport): Markup {
  const { workload, lowestReady, replicas, evictions, secondsBelowBudget } = report;
  const style =
    lowestReady === 0 && replicas > 0 && isAffected(report) ? 'error' : lowestReady < replicas ? 'warning' : 'good';
  return html`<tr><td>${workload}</td><td class="r ${style}">${lowestReady}</td><td class="r">${replicas}</td><td class="r">${evictions}</td><td class="r">${
    secondsBelowBudget === undefined
      ? '–'
      : secondsBelowBudget === 0
        ? 'never'
        : roundedDurationText(secondsBelowBudget)
  }</td></tr>
`;
}

/** The numbers of ready pods and of nodes by second, for the scrubber: at most so many points as a chart has pixels. */
function courseData({ timeSeries, seconds }: ScenarioReport): string {
  return JSON.stringify(thinned(timeSeries, seconds).map(({ second, readyPods, nodes }) => [second, readyPods, nodes]));
}

/** One row for each scenario, with a link to its reports. */
function summaryTable(result: ScenarioReports): Markup {
  return html`<div class="card scroll" tabindex="0" role="region" aria-label="Scenarios"><table class="grid"><thead><tr>${summaryHead(result).map((title, column) => html`<th${styleOf(column)}>${title}</th>`)}</tr></thead>
<tbody>${summarizeScenarios(result).map(summaryRow)}</tbody></table></div>
`;
}

function summaryRow(summary: ScenarioSummary): Markup {
  const { scenario, times, cells } = summary;
  return times === 0
    ? html`<tr class="soft"><td>${scenario}</td><td colspan="${COLUMNS - 1}">${cells}</td></tr>
`
    : html`<tr><td><a href="#${anchor('scenario', scenario)}">${summaryTitle(summary)}</a></td>${cells.map((cell, index) => html`<td${styleOf(index + 1)}>${cell}</td>`)}</tr>
`;
}

/** The columns between the scenario and its impact contain numbers. */
function styleOf(column: number): Markup {
  return column === 0 || column === COLUMNS - 1 ? NOTHING : html` class="r"`;
}

/** The most names in a cell. */
const MAX_NAMES = 5;

/** Why nodes stay after consolidation: the savings that are possible, and a row for each group of nodes. */
function staysPart(stays: Stays, currency: string | null = 'USD'): Markup {
  if (stays.nodes.length === 0) return NOTHING;
  const { printed, left } = printedGroups(stays);
  return html`<p><strong>${staysHeadline(stays, currency)}</strong></p>
<div class="scroll" tabindex="0" role="region" aria-label="Why nodes stay"><table class="grid prose"><thead><tr><th>Node</th><th>Why it stays</th><th>What frees it</th></tr></thead>
<tbody>${printed.map((group) => groupRow(group, stays, currency))}</tbody></table></div>${when(left > 0, () => html`<p class="soft">${leftText(left)}</p>`)}
`;
}

function groupRow(group: StayGroup, stays: Stays, currency: string | null): Markup {
  const { nodes, savesUsdPerHour } = group;
  const [first] = nodes;
  const names = shortListText(
    nodes.map(({ node }) => node),
    MAX_NAMES,
  );
  const lines = changeLines(first, stays, savesUsdPerHour, currency);
  return html`<tr><td>${names}<br><span class="soft">${nodeText(nodes, currency)}</span></td><td>${groupWhy(group)}${first.until === undefined ? '' : ` (until ${first.until})`}<br><span class="soft">${eventText(first)}</span></td><td>${
    lines.length === 0
      ? 'nothing was tried'
      : lines.map((line, index) => html`${index === 0 ? NOTHING : html`<br>`}${line.trim()}`)
  }</td></tr>
`;
}
