import { html, Markup, NOTHING, when } from './markup';
import { Stays } from '../../../disruption';
import { shortListText } from '../../../model';
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

/** The most names in a cell. */
const MAX_NAMES = 5;

/** Why nodes stay after consolidation: the savings that are possible, and a row for each group of nodes. */
export function staysPart(stays: Stays, currency: string | null = 'USD'): Markup {
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
