import { anchor, html, Markup, NOTHING, when } from './markup';
import { resourceName } from './resource-names';
import { baseUnitText, countText, listText, monthlyPriceText, numberText, percentText } from '../../../model';
import { EliminationVerdict, NodePoolVerdict, Verdict } from '../../vocabulary/verdict';
import { shortConstraint } from '../text/placements';

/** The most instance types that are listed, and the most pools that are drawn. */
const MAX_TYPES = 8;
const MAX_POOLS = 60;

/** Each NodePool: the instance types left after each requirement, its limits and its cheapest types. */
export function poolsPart({
  nodePools,
  summary: {
    cost: { currency },
  },
}: Verdict): Markup {
  if (nodePools.length === 0) return NOTHING;
  return html`<section id="pools" class="sec" aria-labelledby="h-pools"><header><h2 id="h-pools">Pools</h2><p>What each NodePool can launch: the instance types that are left after each of its requirements.</p></header>
<div class="pgrid">${nodePools.slice(0, MAX_POOLS).map((pool) => card(pool, currency))}</div>${when(
    nodePools.length > MAX_POOLS,
    () => html`<p class="soft">${countText(nodePools.length - MAX_POOLS, 'more NodePool')} in the JSON report.</p>`,
  )}</section>
`;
}

function card(pool: NodePoolVerdict, currency: string): Markup {
  const { name, nodes, costPerHour, weight, taints, capacityTypes, zones, instanceTypes } = pool;
  const facts = [
    nodes === 0 ? 'no node' : countText(nodes, 'node'),
    ...(costPerHour !== null && costPerHour > 0 ? [monthlyPriceText(costPerHour, currency)] : []),
    ...(capacityTypes.length > 0 ? [listText(capacityTypes)] : []),
    ...(zones.length > 0 ? [zones.join(', ')] : []),
  ];
  const tags = [...(weight > 0 ? [`weight ${weight}`] : []), ...taints.map((taint) => `taint ${taint}`)];
  return html`<article class="card pc" id="${anchor('pool', name)}"><h3>${name}${tags.map((tag) => html` <span class="tag">${tag}</span>`)}</h3><p class="sub">${facts.join(' · ')}</p>
${funnel(pool.elimination)}${limits(pool)}${
  instanceTypes.length === 0
    ? html`<p class="bad">This pool can launch no instance type.</p>`
    : html`<p class="sub">Cheapest types: <span class="mono">${instanceTypes
        .slice(0, MAX_TYPES)
        .join(
          ', ',
        )}</span>${instanceTypes.length > MAX_TYPES ? ` and ${numberText(instanceTypes.length - MAX_TYPES)} more` : ''}</p>`
}</article>
`;
}

/**
 * The steps that leave fewer types, as bars. The length is the square root of the count, so that few types stay
 * visible.
 */
export function funnel(elimination: readonly EliminationVerdict[]): Markup {
  if (elimination.length === 0) return NOTHING;
  const [{ left: all }] = elimination;
  const steps = elimination.filter(({ left }, index) => index === 0 || left < elimination[index - 1].left);
  return html`<ol class="steps">${steps.map(
    ({ constraint, left }, index) =>
      html`<li><b>${numberText(left)}</b><span style="--p:${all === 0 ? 0 : (100 * Math.sqrt(left / all)).toFixed(1)}%">${
        index === 0 ? 'instance types that Karpenter knows' : shortConstraint(constraint)
      }</span></li>`,
  )}</ol>`;
}

function limits({ limits: limited, used }: NodePoolVerdict): Markup {
  const resources = Object.keys(limited);
  if (resources.length === 0) return html`<p class="sub">No limits: nothing bounds the number of nodes.</p>`;
  return html`${resources.map((resource) => {
    const share = limited[resource] === 0 ? 1 : Math.min(1, (used[resource] ?? 0) / limited[resource]);
    return html`<div class="lim"><span>${resourceName(resource)} limit</span><div class="bar"><i class="${share > 0.9 ? 'b-warning' : 'k4'}" style="width:${(100 * share).toFixed(1)}%"></i></div><span>${baseUnitText(
      resource,
      used[resource] ?? 0,
    )} of ${baseUnitText(resource, limited[resource])}, ${percentText(share)}</span></div>`;
  })}`;
}
