import { createColors } from 'picocolors';
import { documentOf } from './document';
import { findingsPart, RuleSummary } from './findings';
import { html, Markup } from './markup';
import { assumptionsPart, linesPart } from './sections';
import { patchOf } from '../patch';
import { describeAcknowledged } from '../text/acknowledged';
import {
  acknowledgedOfRoots,
  countsOfRoots,
  findingsOfRoots,
  originsOfRoots,
  ROOT_HEAD,
  RootRow,
  rootRow,
  rootsHeadline,
  RootVerdict,
  shortNames,
} from '../text/roots';
import { renderText } from '../text/verdict';
import { withoutControlCharacters } from '../wording';

const FOOTER = 'Made by karpenter-constructs from manifests alone. Each root is deployed, and judged, separately.';

/** The findings of all roots, a table with a line for each, and the report on each root, folded. */
export function rootsPage(rawRoots: readonly RootVerdict[], rules: readonly RuleSummary[]): string {
  const roots = shortNames(withoutControlCharacters(rawRoots));
  const findings = findingsOfRoots(roots);
  const acknowledged = acknowledgedOfRoots(roots);
  const counts = countsOfRoots(roots, createColors(false));
  const title = rootsHeadline(roots);
  const verdicts = roots.flatMap(({ verdict }) => verdict ?? []);
  const patches = findingsOfRoots(shortNames(rawRoots)).map(patchOf);
  const main = html`<header class="hero"><p class="eyebrow">a repository</p>
<h1>${title}</h1><p class="lede">${counts}</p></header>
${findingsPart({ findings, nodes: [], workloads: verdicts.flatMap(({ workloads }) => workloads) }, rules, patches)}
${rootsTable(roots)}
${[describeAcknowledged({ acknowledged })].filter(({ lines }) => lines.length > 0).map(linesPart)}
${assumptionsPart([...originsOfRoots(roots), ...new Set(verdicts.flatMap(({ assumptions }) => assumptions))])}`;
  const links = [
    ['findings', 'Findings'],
    ['roots', 'Roots'],
    ['assumptions', 'Assumptions'],
  ] as const;
  const [currency = 'USD'] = verdicts.map(({ summary: { cost } }) => cost.currency ?? 'USD');
  return documentOf({ title, links, main, footer: FOOTER, data: { currency, total: 0, nodes: [], pools: {} } });
}

function rootsTable(roots: readonly RootVerdict[]): Markup {
  const [first, ...others] = ROOT_HEAD.map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  const row = ([name, ...cells]: RootRow) =>
    html`<tr><td>${name}</td>${cells.map((cell) => html`<td class="r">${cell}</td>`)}</tr>
`;
  return html`<section id="roots" class="sec" aria-labelledby="h-roots"><header><h2 id="h-roots">Roots</h2><p>Open one to see its nodes and pods.</p></header><div class="card scroll" tabindex="0" role="region" aria-label="Roots"><table class="grid"><thead><tr><th>${first}</th>${others.map((word) => html`<th class="r">${word}</th>`)}</tr></thead>
<tbody>${roots.map(({ name, verdict }) => row(rootRow({ name, summary: verdict?.summary })))}</tbody></table></div>
${roots.map(rootPart)}</section>
`;
}

/** The report on one root as the command line prints it for this root alone. */
function rootPart({ name, notes, verdict, skipped }: RootVerdict): Markup {
  const lines = [...notes, ...(skipped === undefined ? [] : [skipped]), ...(verdict ? [renderText(verdict)] : [])];
  return html`<details class="card"><summary>${name}</summary><pre class="pc" tabindex="0">${lines.join('\n')}</pre></details>
`;
}
