import { summarisePods } from '../pod-names';
import { costOfGroup, groupEqualNodeClaims } from '../text/nodes';
import { NodeClaimVerdict, Verdict } from '../verdict';
import { formatUsd, moreText } from '../wording';
import { costChart } from './cost-chart';
import { html, Markup, NOTHING } from './markup';

/** Limits the table to a readable length. */
const MAX_ROWS = 200;

/** The launched nodes and their price, the most expensive first. */
export function nodesPart({ nodeClaims }: Pick<Verdict, 'nodeClaims'>): Markup {
  if (nodeClaims.length === 0) return NOTHING;
  const groups = groupEqualNodeClaims(nodeClaims).sort((left, right) => costOfGroup(right) - costOfGroup(left));
  const hidden = groups.slice(MAX_ROWS).reduce((sum, { length }) => sum + length, 0);
  return html`<section><h2>Nodes and cost</h2>
${costChart(nodeClaims)}
<div class="wide"><table><thead><tr><th class="number">Nodes</th><th>NodePool</th><th>Instance type</th><th>Capacity</th><th class="number">$/h each</th><th>Pods</th></tr></thead>
<tbody>${groups.slice(0, MAX_ROWS).map(row)}</tbody></table></div>
${hidden === 0 ? NOTHING : html`<p class="soft">${moreText(hidden, 'node')}</p>`}</section>`;
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
  const otherTypes = reservation === undefined ? instanceTypes.slice(1) : [];
  const choice = otherTypes.length === 0 ? NOTHING : html` <span class="soft" title="${otherTypes.slice(0, 20).join(', ')}">or ${otherTypes.length} more</span>`;
  const capacity = reservation === undefined ? capacityType : `capacity reservation ${reservation}`;
  return html`<td><code>${instanceType}</code>${choice}</td><td>${capacity}, ${zone}</td><td class="number">${formatUsd(usdPerHour)}</td>`;
}
