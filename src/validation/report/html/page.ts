import { createColors } from 'picocolors';
import { budgetsPart } from './budgets';
import { costsPart } from './costs';
import { documentOf } from './document';
import { findingsPart, RuleSummary } from './findings';
import { fleetPart, nodeTable } from './fleet';
import { headerPart } from './header';
import { html, NOTHING } from './markup';
import { pageData } from './page-data';
import { podsPart } from './pods';
import { poolsPart } from './pools';
import { scenariosPart } from './scenarios';
import { assumptionsPart, cheaperPart, linesPart } from './sections';
import { workloadsPart } from './workloads';
import { printableLine } from '../../../model';
import type { BudgetCalendars } from '../../scenario/budget-calendar';
import { Verdict } from '../../vocabulary/verdict';
import { aboveBoundSentences } from '../bound-gap';
import { patchOf } from '../patch';
import { ScenarioReports } from '../scenario/scenario-reports';
import { isAssumedObject, reservationSentences, settledSentences } from '../text/headline';
import { shortConstraint } from '../text/placements';
import { outcome, sectionsOf, VerdictPart } from '../text/verdict';
import { Section, withoutControlCharacters } from '../wording';

const PLAIN = createColors(false);

/**
 * The verdict, and optionally the reports of scenarios, as one page.
 *
 * @param rules summaries to print with the findings of a rule
 * @param calendars when the budgets of NodePools allow disruptions
 */
export function page(
  rawVerdict: Verdict,
  rawScenarios: ScenarioReports | undefined,
  rules: readonly RuleSummary[],
  calendars?: BudgetCalendars,
): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const scenarios = rawScenarios && withoutControlCharacters(rawScenarios);
  const title = outcome(verdict);
  const findings = findingsPart(verdict, rules, rawVerdict.findings.map(patchOf));
  const budgets = budgetsPart(calendars);
  const fleet = html`${fleetPart(verdict)}${nodeTable(verdict)}`;
  // What needs the reader's attention comes first.
  const isBad = verdict.summary.errors > 0 || verdict.unschedulable.length > 0;
  const main = html`${headerPart(verdict, { outcome: title, aboveBound: aboveBoundSentences(verdict), settled: [...settledSentences(verdict), ...reservationSentences(verdict)], assumed: verdict.assumptions.filter(isAssumedObject) })}
${podsPart(verdict)}
${isBad ? html`${findings}${fleet}` : html`${fleet}${findings}`}
${cheaperPart({ ...verdict, cheaper: withRawPatch(verdict.cheaper, rawVerdict.cheaper) })}
${workloadsPart(verdict, scenarios?.reports ?? [])}
${verdict.costs === undefined ? NOTHING : costsPart(verdict.costs)}
${poolsPart(verdict)}
${budgets}${scenarios ? scenariosPart(scenarios) : NO_SCENARIO}
${otherSections(verdict).map(linesPart)}
${assumptionsPart([...linesOf('assumptions', verdict), ...(scenarios?.assumptions ?? [])])}`;
  return documentOf({
    title,
    links: linksOf(verdict, scenarios, budgets !== NOTHING),
    main,
    footer: FOOTER,
    data: pageData(verdict, shortConstraint),
  });
}

/** The line ends of a patch are kept; its other control characters are escaped line by line. */
function withRawPatch(cheaper: Verdict['cheaper'], raw: Verdict['cheaper']): Verdict['cheaper'] {
  if (cheaper === undefined || raw === undefined) return undefined;
  return { ...cheaper, patch: raw.patch.split('\n').map(printableLine).join('\n') };
}

const FOOTER =
  "Made by karpenter-constructs from manifests alone. Prices are those named above; a workload's price is its part of the price of its nodes, " +
  'by requests and the default weights of OpenCost.';

function linksOf(
  { nodes, workloads, nodePools, cheaper }: Verdict,
  scenarios: ScenarioReports | undefined,
  hasBudgets: boolean,
): Array<readonly [string, string]> {
  const sections: ReadonlyArray<readonly [id: string, name: string, isShown: boolean]> = [
    ['fleet', 'Fleet', nodes.length > 0],
    ['findings', 'Findings', true],
    ['cheaper', 'Cheaper', cheaper !== undefined],
    ['workloads', 'Workloads', workloads.length > 0],
    ['pools', 'Pools', nodePools.length > 0],
    ['budgets', 'Budgets', hasBudgets],
    ['scenarios', 'Scenarios', scenarios !== undefined],
    ['assumptions', 'Assumptions', true],
  ];
  return sections.flatMap(([id, name, isShown]) => (isShown ? [[id, name] as const] : []));
}

const NO_SCENARIO = html`<section id="scenarios" class="sec"><header><h2>Scenarios</h2></header><p class="card pc soft">No scenario was simulated. <code>check … --scenario all --format html</code> shows what consolidation, drift, a spot interruption or the loss of a zone does to these pods.</p></section>
`;

/** Sections with the same lines as in the text report. */
function otherSections(verdict: Verdict): Section[] {
  const parts: VerdictPart[] = ['acknowledged', 'placements', 'capacity-buffers'];
  return parts.flatMap((part) => sectionsOf(part, verdict, PLAIN)).filter(({ lines }) => lines.length > 0);
}

function linesOf(part: VerdictPart, verdict: Verdict): string[] {
  return sectionsOf(part, verdict, PLAIN).flatMap(({ lines }) => lines.map((line) => line.replace(/^\s*- /, '')));
}
