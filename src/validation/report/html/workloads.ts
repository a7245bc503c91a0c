import { anchor, html, Markup, NOTHING, when } from './markup';
import { ScenarioReport } from '../../../disruption';
import { baseUnitText, monthlyAmountText, numberText } from '../../../model';
import { Verdict, WorkloadVerdict } from '../../vocabulary/verdict';

/** More workloads are left out of the page. */
const MAX_ROWS = 500;
/** More rows are shown on request. */
const SHOWN = 40;
const MAX_DOTS = 6;

/** Each workload with the zones of its pods, its protection, its price and its worst scenario. */
export function workloadsPart(
  {
    workloads,
    summary: {
      cost: { currency },
    },
  }: Verdict,
  reports: readonly ScenarioReport[],
): Markup {
  if (workloads.length === 0) return NOTHING;
  const zones = [...new Set(workloads.flatMap((workload) => Object.keys(workload.zones)))].sort();
  const worst = worstScenarios(reports);
  const rows = workloads.slice(0, MAX_ROWS);
  return html`<section id="workloads" class="sec" aria-labelledby="h-workloads"><header><h2 id="h-workloads">Workloads</h2><p>Where the pods of each workload run, what protects them, and their part of the price of the nodes.</p></header>
<div class="card"><div class="tw"><table class="wt" data-sortable><thead><tr>${head('Workload')}${head('Pods', true)}${head('Each requests')}${head('Zones')}${head('Protection')}${head('A month', true)}${when(worst.size > 0, () => head('Worst scenario'))}</tr></thead>
<tbody>${rows.map((workload, index) => row(workload, index, zones, currency, worst))}</tbody></table></div>${when(
    rows.length > SHOWN,
    () => html`<button type="button" class="btn more" data-more hidden>Show ${rows.length - SHOWN} more</button>`,
  )}${when(
    workloads.length > MAX_ROWS,
    () =>
      html`<p class="soft pad">${numberText(workloads.length - MAX_ROWS)} more workloads are in the JSON report.</p>`,
  )}</div></section>
`;
}

function head(title: string, isNumber = false): Markup {
  return html`<th scope="col"${isNumber ? html` class="r"` : NOTHING} aria-sort="none">${title}</th>`;
}

interface WorstScenario {
  readonly scenario: string;
  readonly share: number;
  readonly text: string;
}

function row(
  workload: WorkloadVerdict,
  index: number,
  zones: readonly string[],
  currency: string,
  worst: ReadonlyMap<string, WorstScenario>,
): Markup {
  const { kind, namespace, name, pods, scheduledPods, requests, costPerHour } = workload;
  const missing = pods > scheduledPods;
  const scenario = worst.get(`${kind} ${namespace}/${name}`);
  const cpu = requests.cpu === undefined ? 'no CPU' : `${baseUnitText('cpu', requests.cpu)} CPU`;
  const memory = requests.memory === undefined ? 'no memory' : baseUnitText('memory', requests.memory);
  return html`<tr id="${anchor('workload', `${kind}/${namespace}/${name}`)}"${index >= SHOWN ? html` class="rest"` : NOTHING}><th scope="row"><b>${namespace}/${name}</b> <span class="soft">${kind}</span></th><td class="r" data-value="${pods}"${missing ? html` data-bad` : NOTHING}>${
    missing ? `${numberText(scheduledPods)} of ${numberText(pods)}` : numberText(pods)
  }</td><td data-value="${requests.cpu ?? 0}">${cpu}, ${memory}</td><td data-value="${Object.keys(workload.zones).length}">${zoneDots(workload, zones)}</td><td data-value="${strength(workload)}">${protection(
    workload,
  )}</td><td class="r" data-value="${costPerHour ?? -1}">${costPerHour === null ? '–' : monthlyAmountText(costPerHour, currency)}</td>${when(
    worst.size > 0,
    () =>
      html`<td data-value="${scenario?.share ?? 1}">${scenario ? html`<span class="worst"><i><u style="width:${Math.round(100 * scenario.share)}%"></u></i><a href="#${anchor('scenario', scenario.scenario)}">${scenario.text}</a></span>` : 'keeps all pods'}</td>`,
  )}</tr>
`;
}

function zoneDots({ zones: used }: WorkloadVerdict, zones: readonly string[]): Markup {
  if (zones.length === 0) return html`<span class="soft">–</span>`;
  return html`<span class="zs">${zones.map((zone) => {
    const count = used[zone] ?? 0;
    const dots =
      count === 0
        ? html`<span class="soft">–</span>`
        : count <= MAX_DOTS
          ? html`${Array.from({ length: count }, () => html`<i></i>`)}`
          : html`<i class="big"></i> ${numberText(count)}`;
    return html`<span class="z" title="${count} in ${zone}"><small>${zone.replace(/^.*-(\d+[a-z])$/, '$1')}</small><span class="ds">${dots}</span></span>`;
  })}</span>`;
}

/** For sorting: 0 without protection. */
function strength({ protection: { disruptionBudgets, spreadOver, doNotDisrupt } }: WorkloadVerdict): number {
  return disruptionBudgets.length + spreadOver.length + Number(doNotDisrupt);
}

function protection({ protection: { disruptionBudgets, spreadOver, doNotDisrupt } }: WorkloadVerdict): Markup {
  const parts = [
    ...(disruptionBudgets.length > 0
      ? [html`<span class="pr" title="PodDisruptionBudget ${disruptionBudgets.join(', ')}">PDB</span>`]
      : [html`<span class="pr no">no PDB</span>`]),
    ...spreadOver.map(
      (key) =>
        html`<span class="pr" title="${key}">spread over ${key.includes('zone') ? 'zones' : key.includes('hostname') ? 'nodes' : key}</span>`,
    ),
    ...(doNotDisrupt ? [html`<span class="pr" title="karpenter.sh/do-not-disrupt">do not disrupt</span>`] : []),
  ];
  return html`<span class="prot">${parts}</span>`;
}

/** For each workload, by kind, namespace and name, the scenario with the lowest share of ready pods. */
function worstScenarios(reports: readonly ScenarioReport[]): ReadonlyMap<string, WorstScenario> {
  const worst = new Map<string, WorstScenario>();
  for (const { scenario, workloads } of reports) {
    for (const { workload, lowestReady, replicas } of workloads) {
      const share = replicas === 0 ? 1 : lowestReady / replicas;
      if (share < (worst.get(workload)?.share ?? 1))
        worst.set(workload, { scenario, share, text: `${lowestReady} of ${replicas} ready, ${scenario}` });
    }
  }
  return worst;
}
