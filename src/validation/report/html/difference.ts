import { createColors } from 'picocolors';
import { documentOf } from './document';
import { findingsPart, RuleSummary } from './findings';
import { html, Markup, NOTHING, when } from './markup';
import { assumptionsPart, linesPart } from './sections';
import { countText, hourlyPriceText, monthlyAmountText, numberText } from '../../../model';
import { Difference } from '../../difference/difference';
import { Summary } from '../../vocabulary/verdict';
import { patchOf } from '../patch';
import { describeAcknowledged } from '../text/acknowledged';
import { changeSections, costSections, headlines, isUnchanged, resolvedFindings, UNCHANGED } from '../text/difference';
import { fittingPods, withoutControlCharacters } from '../wording';

const FOOTER = 'Made by karpenter-constructs from both versions of the manifests alone.';
/** The most NodePools in the table. */
const MAX_ROWS = 100;

/** The effect of a change of manifests as a page: price and nodes first, then what causes it. */
export function differencePage(rawDifference: Difference, rules: readonly RuleSummary[]): string {
  const difference = withoutControlCharacters(rawDifference);
  const {
    findings: { added },
    assumptions,
  } = difference;
  const [outcome, ...more] = (isUnchanged(difference) ? [UNCHANGED] : headlines(difference, createColors(false))).map(
    (text) => text.replace(/ → /g, '\u00a0→ '),
  );
  const main = html`<header class="hero"><p class="eyebrow">before and after the change</p>
<h1>${outcome}</h1>${more.map((sentence) => html`<p class="lede">${sentence}</p>`)}
<dl class="figs four">${figures(difference)}</dl></header>
${poolsTable(difference)}
${[...changeSections(difference), ...costSections(difference), resolvedFindings(difference), describeAcknowledged(difference)].filter(({ lines }) => lines.length > 0).map(linesPart)}
${added.length === 0 ? NOTHING : findingsPart({ findings: added, nodes: [], workloads: [] }, rules, rawDifference.findings.added.map(patchOf), 'New findings')}
${assumptionsPart(assumptions)}`;
  const links = [
    ...(added.length === 0 ? [] : [['findings', 'New findings'] as const]),
    ['assumptions', 'Assumptions'] as const,
  ];
  const data = { currency: difference.summary.after.cost.currency, total: 0, nodes: [], pools: {} };
  return documentOf({ title: outcome, links, main, footer: FOOTER, data });
}

function figures({ summary: { before, after }, findings: { added, removed } }: Difference): Markup {
  const { currency } = after.cost;
  const price = ({ cost: { usdPerHour } }: Summary) =>
    usdPerHour === null ? '–' : monthlyAmountText(usdPerHour, currency);
  const [from, to] = [before.cost.usdPerHour ?? 0, after.cost.usdPerHour ?? 0];
  const sign = to > from ? '+' : to < from ? '−' : '±';
  return html`${figure('Price a month', html`${price(after)}`, `${price(before)} before, ${sign}${monthlyAmountText(Math.abs(to - from), currency)}`)}${figure(
    'New nodes',
    html`${numberText(after.nodes)}`,
    `${numberText(before.nodes)} before`,
  )}${figure(
    'Pods placed',
    html`${numberText(fittingPods(after))} <small>of ${numberText(after.pods)}</small>`,
    `${numberText(fittingPods(before))} of ${numberText(before.pods)} before`,
  )}${figure(
    'Findings',
    html`${numberText(added.length)} <small>new</small>`,
    `${countText(removed.length, 'finding')} resolved`,
  )}`;
}

function figure(title: string, value: Markup, details: string): Markup {
  return html`<div class="fig"><dt>${title}</dt><dd><div class="v">${value}</div><div class="s">${details}</div></dd></div>
`;
}

/** The NodePools whose nodes or prices change. */
function poolsTable({
  nodePools,
  summary: {
    after: {
      cost: { currency },
    },
  },
}: Difference): Markup {
  const rows = nodePools.filter(
    ({ nodes, usdPerHour }) => nodes.before !== nodes.after || usdPerHour.before !== usdPerHour.after,
  );
  return when(
    rows.length > 0,
    () => html`<section class="sec" aria-label="Nodes and prices"><header><h2>Nodes and prices</h2></header><div class="card scroll" tabindex="0" role="region" aria-label="Nodes and prices"><table class="grid"><thead><tr><th>NodePool</th><th class="r">Nodes before</th><th class="r">Nodes after</th><th class="r">Price before</th><th class="r">Price after</th></tr></thead>
<tbody>${rows.slice(0, MAX_ROWS).map(
      ({
        name,
        nodes,
        usdPerHour,
      }) => html`<tr><td>${name}</td><td class="r">${nodes.before}</td><td class="r">${nodes.after}</td><td class="r">${hourlyPriceText(
        usdPerHour.before,
        currency,
      )}</td><td class="r">${hourlyPriceText(usdPerHour.after, currency)}</td></tr>
`,
    )}</tbody></table></div></section>
`,
  );
}
