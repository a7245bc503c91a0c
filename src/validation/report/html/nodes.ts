import { alikeNodeClaims } from '../nodes-text';
import { summarisePods } from '../pod-names';
import { formatUsd, plural } from '../section';
import { NodeClaimVerdict, Verdict } from '../verdict';
import { costChart } from './cost-chart';
import { html, Markup, NOTHING } from './markup';

/** Of more that differ nobody reads on. */
const MOST_ROWS = 200;

/** What is launched, the dearest first, and what that costs. */
export function nodesPart({ nodeClaims }: Pick<Verdict, 'nodeClaims'>): Markup {
  if (nodeClaims.length === 0) return NOTHING;
  const groups = alikeNodeClaims(nodeClaims).sort((left, right) => costOf(right) - costOf(left));
  const hidden = groups.slice(MOST_ROWS).reduce((sum, { length }) => sum + length, 0);
  return html`<section><h2>Nodes and what they cost</h2>
${costChart(nodeClaims)}
<div class="wide"><table><thead><tr><th class="number">Nodes</th><th>NodePool</th><th>Instance type</th><th>Capacity</th><th class="number">USD per hour each</th><th>Pods</th></tr></thead>
<tbody>${groups.slice(0, MOST_ROWS).map(row)}</tbody></table></div>
${hidden === 0 ? NOTHING : html`<p class="soft">and ${plural(hidden, 'node')} more: --format json lists them all</p>`}</section>`;
}

function costOf(group: readonly NodeClaimVerdict[]): number {
  return group.length * (group[0].launch?.cheapest.usdPerHour ?? 0);
}

function row(group: readonly NodeClaimVerdict[]): Markup {
  const [{ nodePool, pods, launch, launchFailure }] = group;
  const runs = pods.length === 0 ? '' : summarisePods(pods, group.length === 1);
  return html`<tr><td class="number">${group.length}</td><td>${nodePool}</td>${
    launch ? launchCells(launch) : html`<td colspan="3" class="error">cannot be launched: ${launchFailure!}</td>`}<td>${runs}</td></tr>
`;
}

function launchCells({ cheapest, instanceTypes }: NonNullable<NodeClaimVerdict['launch']>): Markup {
  const { instanceType, capacityType, zone, usdPerHour, reservation } = cheapest;
  const others = reservation === undefined ? instanceTypes.slice(1) : [];
  const choice = others.length === 0 ? NOTHING : html` <span class="soft" title="${others.slice(0, 20).join(', ')}">or ${others.length} more</span>`;
  const capacity = reservation === undefined ? capacityType : `capacity reservation ${reservation}`;
  return html`<td><code>${instanceType}</code>${choice}</td><td>${capacity}, ${zone}</td><td class="number">${formatUsd(usdPerHour)}</td>`;
}
