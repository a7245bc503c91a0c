import { gravestOf } from '../gravest-reports';
import { endsOf, titleOf } from '../scenarios-text';
import { clock } from '../section';
import { describeTimeline } from '../timeline-text';
import { scenariosOf, Told } from '../told';
import { isHit, toldWorkloads } from '../workload-stories';
import { courseChart } from './course-chart';
import { html, Markup, NOTHING, when } from './markup';
import { summaryTable } from './summary-table';
import { ScenarioReport, WorkloadStory } from '../../../disruption';

/** What becomes of nodes and pods as time passes: of many reports the gravest. */
export function scenariosPart(played: Told): Markup {
  const { reports, notPlayed } = played;
  return html`<section><h2>What becomes of it</h2>
${notPlayed === undefined ? onePart(played) : html`${summaryTable(played)}${notEvaluatedPart(played)}
${scenariosOf(reports).map(oneOfSeveral)}`}</section>`;
}

function onePart(played: Told): Markup {
  const { reports } = played;
  const { summary, told } = gravestOf(reports);
  return html`${when(reports.length === 0, () => html`<p>Nothing of the kind can happen here.</p>`)}${summaryPart(summary)}${notEvaluatedPart(played)}
${told.map((report, at) => reportPart(report, `course-${at}`))}`;
}

function oneOfSeveral(reports: readonly ScenarioReport[]): Markup {
  const [{ scenario }] = reports;
  const { summary, told } = gravestOf(reports);
  return html`<div id="${scenario}">${summaryPart(summary)}
${told.map((report, at) => reportPart(report, `course-${scenario}-${at}`))}</div>
`;
}

function summaryPart([ofAll, ...counts]: readonly string[]): Markup {
  return ofAll === undefined ? NOTHING : html`<p>${ofAll}</p>${list(counts.map((line) => line.trim()))}`;
}

function notEvaluatedPart({ notEvaluated }: Told): Markup {
  return when(notEvaluated.length > 0, () => html`<h3>Not evaluated</h3>${list(notEvaluated)}`);
}

function list(texts: readonly string[]): Markup {
  return texts.length === 0 ? NOTHING : html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function reportPart(report: ScenarioReport, course: string): Markup {
  const { told, others } = toldWorkloads(report.workloads);
  const ends = endsOf(report);
  return html`<h3>${titleOf(report)}</h3>
${ends.map((line) => html`<article class="card of-error">${line}</article>`)}
${courseChart(course, report)}
${told.length === 0 ? NOTHING : html`<div class="wide"><table><thead><tr><th>Workload</th><th class="number">Fewest ready</th><th class="number">Replicas</th><th class="number">Evictions</th><th class="number">Below its PodDisruptionBudget</th></tr></thead>
<tbody>${told.map(row)}</tbody></table></div>`}${others.map((line) => html`<p class="soft">${line}</p>`)}
${report.timeline.length === 0 ? NOTHING : html`<details><summary>What happens when</summary><pre>${describeTimeline(report.timeline).join('\n')}</pre></details>`}
`;
}

function row(story: WorkloadStory): Markup {
  const { workload, lowestReady, replicas, evictions, secondsBelowBudget } = story;
  const style = lowestReady === 0 && replicas > 0 && isHit(story) ? 'error' : lowestReady < replicas ? 'warning' : 'good';
  return html`<tr><td>${workload}</td><td class="number ${style}">${lowestReady}</td><td class="number">${replicas}</td><td class="number">${evictions}</td><td class="number">${
    secondsBelowBudget === undefined ? '–' : secondsBelowBudget === 0 ? 'never' : clock(secondsBelowBudget)}</td></tr>
`;
}
