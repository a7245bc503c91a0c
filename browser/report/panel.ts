import { element } from './dom';
import {
  baseUnitText,
  countText,
  hourlyPriceText,
  listText,
  monthlyPriceText,
  numberText,
  percentText,
} from '../../src/model/text';
import { anchor } from '../../src/validation/report/html/markup';
import { namespaceOf, requestedOf } from '../../src/validation/report/html/node-field';
import type { PageData, PageNode } from '../../src/validation/report/html/page-data';
import { Palette } from '../../src/validation/report/html/palette';
import { isGpu, resourceName, resourceWord } from '../../src/validation/report/html/resource-names';

/** The resources of a node whose use the panel draws. */
const DRAWN = ['cpu', 'memory'];

/** Everything about one node: what is free, why this instance type, which pods. */
export function panelContent(node: PageNode, data: PageData, palette: Palette, close: () => void): Node[] {
  const { name, price, instanceType, capacityType, zone, existing, nodePool } = node;
  const button = element('button', { type: 'button', class: 'btn', 'aria-label': 'Close' }, '×');
  button.addEventListener('click', close);
  const tags = [
    instanceType,
    capacityType,
    zone,
    existing ? 'exists already' : undefined,
    price
      ? `${monthlyPriceText(price.perHour, data.currency)}, ${price.kind}${price.date === null ? '' : ` ${price.date}`}`
      : undefined,
  ];
  const head = element(
    'div',
    { class: 'ph' },
    element(
      'h3',
      {},
      element('span', {}, name),
      element('span', {}, price ? hourlyPriceText(price.perHour, data.currency) : '', ' ', button),
    ),
    element('div', { class: 'tags' }, ...tags.flatMap((tag) => (tag ? [element('span', { class: 'tag' }, tag)] : []))),
  );
  const body = element(
    'div',
    { class: 'pb' },
    ...stranded(node, data),
    ...[...DRAWN, ...Object.keys(node.allocatable).filter(isGpu), 'pods'].flatMap((resource) =>
      capacityBar(node, resource),
    ),
    ...whyThisType(node, data),
    ...(nodePool === null
      ? []
      : [element('p', {}, element('a', { href: `#${anchor('pool', nodePool)}` }, `NodePool ${nodePool}`))]),
    element('h4', {}, `${countText(podCount(node), 'pod')} of ${countText(node.workloads.length, 'workload')}`),
    podList(node, palette),
  );
  return [head, body];
}

function podCount({ workloads }: PageNode): number {
  return workloads.reduce((sum, { pods }) => sum + pods, 0);
}

/** A sentence if most of the node is paid for and not requested. */
function stranded(node: PageNode, { total }: PageData): Node[] {
  const { price, allocatable, requests } = node;
  const shares = DRAWN.filter((resource) => allocatable[resource]).map(
    (resource) => [resource, requestedOf(requests, resource) / allocatable[resource]] as const,
  );
  const highest = Math.max(0, ...shares.map(([, share]) => share));
  if (!price || total === 0 || highest > 0.5 || shares.length === 0) return [];
  const used = shares
    .map(([resource, share]) => `${percentText(share)} of its ${resource === 'cpu' ? 'CPU' : 'memory'}`)
    .join(' and ');
  return [
    element('h4', {}, 'What is not used'),
    element(
      'p',
      { class: 'note' },
      `Pods request ${used}, and the node is ${percentText(price.perHour / total)} of the price of all nodes.`,
    ),
  ];
}

function capacityBar(node: PageNode, resource: string): Node[] {
  const total = node.capacity[resource] ?? 0;
  const usable = node.allocatable[resource] ?? 0;
  if (total === 0) return [];
  const [pods, daemons] = [node.requests.pods[resource] ?? 0, node.requests.daemonSets[resource] ?? 0];
  const part = (style: string, amount: number): HTMLElement => {
    const made = element('i', { class: style });
    made.style.width = `${Math.max(0, (100 * amount) / total)}%`;
    return made;
  };
  const text = (amount: number): string => baseUnitText(resource, amount);
  return [
    element(
      'div',
      { class: 'capr' },
      element(
        'div',
        {},
        element('span', {}, resourceName(resource)),
        element('b', {}, percentText(usable === 0 ? 0 : (pods + daemons) / usable)),
      ),
      element('div', { class: 'cap' }, part('hs', total - usable), part('hd', daemons), part('hp', pods)),
      element(
        'div',
        { class: 't' },
        `pods ${text(pods)}, DaemonSets ${text(daemons)}, system ${text(total - usable)}, free ${text(Math.max(0, usable - pods - daemons))} of ${text(total)}`,
      ),
    ),
  ];
}

/** The instance types left after each step of the decision, and what cheaper types lack. */
function whyThisType(node: PageNode, { pools, currency }: PageData): Node[] {
  const { nodePool, instanceType, types, typeCount, cheaperTypes, existing, capacityType } = node;
  if (existing || instanceType === null) return [];
  const steps = nodePool === null ? [] : [...(pools[nodePool] ?? [])];
  const rows = [...steps, ['can hold these pods', typeCount] as const];
  const all = Math.max(1, rows[0][1]);
  const list = element(
    'ol',
    { class: 'steps' },
    ...rows.map(([constraint, left]) => {
      const text = element('span', {}, constraint);
      text.style.setProperty('--p', `${100 * Math.sqrt(left / all)}%`);
      return element('li', {}, element('b', {}, numberText(left)), text);
    }),
  );
  const choice =
    typeCount <= 1
      ? `Only ${instanceType} is left.`
      : `${capacityType === 'spot' ? 'EC2 chooses among them by price and spare capacity' : 'EC2 takes the cheapest it has'}: ${types.join(', ')}${typeCount > types.length ? ` and ${typeCount - types.length} more` : ''}.`;
  return [
    element('h4', {}, 'Why this instance type'),
    list,
    element('p', {}, choice),
    ...(cheaperTypes ? [element('p', {}, cheaperText(cheaperTypes, currency))] : []),
  ];
}

function cheaperText({ count, lack, nearest }: NonNullable<PageNode['cheaperTypes']>, currency: string): string {
  const lacks = Object.entries(lack)
    .sort(([, left], [, right]) => right - left)
    .map(([resource, types]) => `${types} had too little ${resourceWord(resource)}`);
  const near =
    nearest.lacks.length === 0
      ? 'a requirement of the pods or a limit of the pool excluded it'
      : `it had too little ${listText(nearest.lacks.map(resourceWord))}`;
  return `When the node was planned, ${countText(count, 'cheaper type')} of the pool could not hold its pods${lacks.length > 0 ? ` (${lacks.join(', ')})` : ''}. The nearest is ${nearest.instanceType} at ${hourlyPriceText(nearest.perHour, currency)}: ${near}.`;
}

function podList({ workloads }: PageNode, palette: Palette): HTMLElement {
  return element(
    'ul',
    { class: 'pods' },
    ...workloads.map(({ workload, pods, requests }) =>
      element(
        'li',
        {},
        element('span', { class: `dot ${palette.colorOf(namespaceOf(workload))}` }),
        element('span', { class: 'n' }, workload),
        element(
          'span',
          { class: 'q' },
          `${pods} × ${baseUnitText('cpu', requests.cpu ?? 0)} / ${baseUnitText('memory', requests.memory ?? 0)}`,
        ),
      ),
    ),
  );
}
