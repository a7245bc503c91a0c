import { createColors } from 'picocolors';
import { documentOf } from './document';
import { findingsPart, RuleSummary } from './findings';
import { html, Markup, NOTHING, when } from './markup';
import { assumptionsPart, linesPart } from './sections';
import { RootDifferences } from '../../difference/root-differences';
import { patchOf } from '../patch';
import { describeAcknowledged } from '../text/acknowledged';
import { addedText, resolvedFindings } from '../text/difference';
import {
  commonParts,
  differenceRows,
  EqualRoots,
  equalRoots,
  resolvedText,
  rootNotes,
  changedRootsHeadline,
} from '../text/difference-roots';
import { withoutControlCharacters } from '../wording';

const FOOTER = 'Made by karpenter-constructs from both versions of the manifests alone.';
const PLAIN = createColors(false);

/** The effect of a change on each root of a repository: first a table, then what changes in each root. */
export function rootDifferencesPage(given: RootDifferences, rules: readonly RuleSummary[]): string {
  const differences = withoutControlCharacters(given);
  const { added, removed, acknowledged, assumptions } = commonParts(differences);
  const title = changedRootsHeadline(differences);
  const rows = differenceRows(differences);
  const sections = [
    { title: 'Notes', lines: rootNotes(differences) },
    resolvedFindings({ findings: { removed } }),
    describeAcknowledged({ acknowledged }),
  ];
  const main = html`<header class="hero"><p class="eyebrow">before and after the change</p>
<h1>${title}</h1>${when(rows.length > 0, () => html`<p class="lede">${addedText(added, PLAIN)}; ${resolvedText(removed)}.</p>`)}</header>
${rootsTable(rows)}
${equalRoots(differences, PLAIN).map(effectPart)}
${added.length === 0 ? NOTHING : findingsPart({ findings: added, nodes: [], workloads: [] }, rules, commonParts(given).added.map(patchOf), 'New findings')}
${sections.filter(({ lines }) => lines.length > 0).map(linesPart)}
${assumptionsPart(assumptions)}`;
  const links = [
    ...(rows.length === 0 ? [] : [['roots', 'Roots'] as const]),
    ...(added.length === 0 ? [] : [['findings', 'New findings'] as const]),
    ['assumptions', 'Assumptions'] as const,
  ];
  const [currency = 'USD'] = differences.roots.flatMap(
    ({ difference }) => difference?.summary.after.cost.currency ?? [],
  );
  return documentOf({ title, links, main, footer: FOOTER, data: { currency, total: 0, nodes: [], pools: {} } });
}

function rootsTable(rows: ReadonlyArray<readonly string[]>): Markup {
  const cell = (text: string, index: number) =>
    index < 2 ? html`<td>${text}</td>` : html`<td class="r">${arrows(text)}</td>`;
  return when(
    rows.length > 0,
    () => html`<section id="roots" class="sec" aria-labelledby="h-roots"><header><h2 id="h-roots">Roots</h2></header><div class="card scroll" tabindex="0" role="region" aria-label="Roots"><table class="grid"><thead><tr><th>Root</th><th>Change</th><th class="r">Nodes</th><th class="r">Pods</th><th class="r">Per month</th><th class="r">New errors</th><th class="r">New warnings</th><th class="r">Resolved</th></tr></thead>
<tbody>${rows.map(
      (row) => html`<tr>${row.map(cell)}</tr>
`,
    )}</tbody></table></div></section>
`,
  );
}

/** The roots with one effect: its sentences, and its sections as text. */
function effectPart({ names, headlines, sections }: EqualRoots): Markup {
  const lines = [
    ...headlines.map(arrows),
    ...sections.flatMap((section) => ['', section.title, ...section.lines.map((line) => `  ${line}`)]),
  ];
  return linesPart({ title: names.join(', '), lines });
}

function arrows(text: string): string {
  return text.replace(/ → /g, '\u00a0→ ');
}
