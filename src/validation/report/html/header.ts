import { html, Markup, NOTHING, when } from './markup';
import {
  countText,
  hourlyAmountText,
  monthlyAmountText,
  monthlyPriceText,
  numberText,
  percentText,
} from '../../../model';
import { Verdict } from '../../vocabulary/verdict';
import { fittingPods, priceSourcesText } from '../wording';

/** The most pools with a part of the bar of their own. */
const MAX_PARTS = 6;

export interface HeaderTexts {
  /** The outcome in one sentence. */
  readonly outcome: string;
  /** Sentences about the nodes that cost more than the bound. */
  readonly aboveBound: readonly string[];
  /** Sentences about the fleets that Karpenter ends with. */
  readonly settled: readonly string[];
  /** Assumptions that all placements rest on. */
  readonly assumed: readonly string[];
}

/** The outcome and five figures: pods, nodes, price, lower bound, findings. */
export function headerPart(verdict: Verdict, texts: HeaderTexts): Markup {
  const { summary, unschedulable, notEvaluated } = verdict;
  const isBad = summary.errors > 0 || unschedulable.length > 0;
  const state =
    unschedulable.length > 0
      ? `${countText(unschedulable.length, 'pod')} without a node`
      : notEvaluated.length > 0
        ? `${countText(notEvaluated.length, 'pod')} not evaluated`
        : summary.errors > 0
          ? countText(summary.errors, 'error')
          : summary.pods === 0
            ? 'no pods'
            : 'all pods placed';
  return html`<header class="hero"><p class="eyebrow"><span class="state${isBad ? ' bad' : ''}">${state}</span>${priceSourcesText(summary.cost) === '' ? '' : `Prices: ${priceSourcesText(summary.cost)}`}</p>
<h1>${texts.outcome}</h1>
${texts.settled.map((sentence) => html`<p class="lede">${sentence}</p>`)}
${texts.assumed.map((sentence) => html`<p class="lede">Assumed: ${sentence}.</p>`)}
<dl class="figs">${podsFigure(verdict)}${nodesFigure(verdict)}${priceFigure(verdict)}${boundFigure(verdict, texts.aboveBound)}${findingsFigure(verdict)}</dl></header>
`;
}

function figure(title: string, value: Markup, details: Markup, isWide = false): Markup {
  return html`<div class="fig${isWide ? ' wide' : ''}"><dt>${title}</dt><dd><div class="v">${value}</div>${details}</dd></div>
`;
}

function bar(parts: ReadonlyArray<readonly [style: string, amount: number]>): Markup {
  const total = parts.reduce((sum, [, amount]) => sum + amount, 0);
  return total === 0
    ? html`<div class="bar"></div>`
    : html`<div class="bar">${parts
        .filter(([, amount]) => amount > 0)
        .map(
          ([style, amount]) => html`<i class="${style}" style="width:${((100 * amount) / total).toFixed(2)}%"></i>`,
        )}</div>`;
}

function podsFigure({ summary, unschedulable, notEvaluated }: Verdict): Markup {
  const { pods, scheduledPods } = summary;
  const fitting = fittingPods(summary);
  const others = [
    ...(scheduledPods === fitting ? [] : [`${numberText(scheduledPods - fitting)} wait for a correction`]),
    ...(unschedulable.length === 0 ? [] : [`${numberText(unschedulable.length)} fit nowhere`]),
    ...(notEvaluated.length === 0 ? [] : [`${numberText(notEvaluated.length)} not evaluated`]),
  ];
  return figure(
    'Pods placed',
    html`${numberText(fitting)} <small>of ${numberText(pods)}</small>`,
    html`${bar([
      ['b-ok', fitting],
      ['b-error', unschedulable.length + scheduledPods - fitting],
      ['b-warning', Math.max(0, pods - scheduledPods - unschedulable.length)],
    ])}<div class="s">${others.length === 0 ? 'none without a node' : others.join(', ')}</div>`,
  );
}

function nodesFigure({ nodes, summary }: Verdict): Markup {
  const types = new Map<string, number>();
  for (const { capacityType } of nodes)
    types.set(capacityType ?? 'unknown', (types.get(capacityType ?? 'unknown') ?? 0) + 1);
  const parts = [...types].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const existing = nodes.length - summary.nodes;
  const pools = new Set(nodes.map(({ nodePool }) => nodePool)).size;
  const styles = ['k4', 'k0', 'k2', 'k8'];
  return figure(
    'Nodes',
    html`${numberText(nodes.length)}${when(existing > 0, () => html` <small>${numberText(summary.nodes)} new</small>`)}`,
    html`${bar(
      parts.map(([, count], index) => [styles[index] ?? 'k8', count]),
    )}<div class="s">${parts.map(([type, count]) => `${numberText(count)} ${type}`).join(', ')}${
      nodes.length === 0 ? 'none is launched' : `, in ${countText(pools, 'pool')}`
    }</div>`,
  );
}

function priceFigure({
  summary: {
    cost: { usdPerHour, currency },
    scheduledPods,
    nodes: launched,
  },
  nodes,
}: Verdict): Markup {
  if (usdPerHour === null) {
    return figure(
      'Price of new nodes',
      html`–`,
      html`<div class="s">${launched === 0 ? 'no new node' : 'not known'}</div>`,
    );
  }
  const perPod =
    scheduledPods === 0 || nodes.length > launched
      ? ''
      : `${monthlyAmountText(usdPerHour / scheduledPods, currency)} per pod and month`;
  return figure(
    nodes.length > launched ? 'Price of new nodes' : 'Price',
    html`${hourlyAmountText(usdPerHour, currency)} <small>/h</small>`,
    html`<div class="s">${monthlyPriceText(usdPerHour, currency).replace(
      '/month',
      ' a month',
    )}${when(perPod !== '', () => html`<br>${perPod}`)}</div>`,
  );
}

/** The price of each pool as a bar, with a mark at the lower bound. */
function boundFigure(
  {
    summary: {
      cost: { usdPerHour, lowerBoundUsdPerHour, currency },
    },
    nodes,
  }: Verdict,
  aboveBound: readonly string[],
): Markup {
  if (usdPerHour === null || lowerBoundUsdPerHour === null || usdPerHour === 0) {
    return figure('Lower bound', html`–`, html`<div class="s">not computed</div>`, true);
  }
  const times = usdPerHour / lowerBoundUsdPerHour;
  const pools = new Map<string, number>();
  for (const { existing, nodePool, price } of nodes) {
    if (!existing && price) pools.set(nodePool ?? '', (pools.get(nodePool ?? '') ?? 0) + price.perHour);
  }
  const sorted = [...pools].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const parts =
    sorted.length <= MAX_PARTS
      ? sorted
      : [
          ...sorted.slice(0, MAX_PARTS - 1),
          [
            `${sorted.length - MAX_PARTS + 1} others`,
            sorted.slice(MAX_PARTS - 1).reduce((sum, [, cost]) => sum + cost, 0),
          ] as const,
        ];
  const share = Math.min(1, lowerBoundUsdPerHour / usdPerHour);
  const color = (index: number) => `k${(index * 5) % 12}`;
  return figure(
    'Lower bound of any packing',
    html`${hourlyAmountText(lowerBoundUsdPerHour, currency)} <small>/h, the plan is ${times.toFixed(times < 10 ? 1 : 0)} times that</small>`,
    html`
<div class="bound"><span class="mk" style="left:${(100 * share).toFixed(2)}%"></span>${bar(parts.map(([, cost], index) => [color(index), cost]))}</div>
<div class="keys">${parts.map(([name, cost], index) => html`<span><span class="dot ${color(index)}"></span>${name} ${hourlyAmountText(cost, currency)} (${percentText(cost / usdPerHour)})</span>`)}</div>${when(
      aboveBound.length > 0,
      () =>
        html`<div class="s"><b>${usdPerHour === lowerBoundUsdPerHour ? 'Topology' : 'Why above the bound'}:</b> ${aboveBound.join(' ')}</div>`,
    )}`,
    true,
  );
}

function findingsFigure({ summary: { errors, warnings, infos }, findings, acknowledged }: Verdict): Markup {
  const rules = new Set(findings.map(({ rule }) => rule)).size;
  return figure(
    'Findings',
    html`${numberText(errors)} <small>${errors === 1 ? 'error' : 'errors'}</small> ${numberText(warnings)} <small>${warnings === 1 ? 'warning' : 'warnings'}</small>`,
    html`${bar([
      ['b-error', errors],
      ['b-warning', warnings],
      ['b-info', infos],
    ])}<div class="s">${infos > 0 ? `and ${countText(infos, 'note')}, ` : ''}from ${countText(rules, 'rule')}${
      acknowledged === undefined ? '' : `; ${numberText(acknowledged.length)} acknowledged`
    }${findings.length === 0 ? NOTHING : html`<br><a href="#findings">Read them</a>`}</div>`,
  );
}
