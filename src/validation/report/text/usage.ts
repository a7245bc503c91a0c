import {
  changeText,
  countText,
  formatAmount,
  listText,
  monthlyAmountText,
  monthlyPriceText,
  percentText,
  quantityText,
  shortListText,
  HOURS_PER_MONTH,
} from '../../../model';
import { UsageNote, UsageResource } from '../../recommend/usage/figures';
import {
  OomKill,
  SingleResource,
  UsageFleet,
  UsagePlan,
  UsageRequest,
  UsageWorkload,
} from '../../recommend/usage/usage-plan';
import { priceAgeText } from '../../vocabulary/price-dates';
import { withoutControlCharacters } from '../wording';

const NAMES: Readonly<Record<UsageResource, string>> = { cpu: 'CPU', memory: 'memory' };
/** More places of one note are counted. */
const MAX_PLACES = 3;

/** The price with requests made of usage, why it does not fall, each workload, and what was not used. */
export function renderUsageText(given: UsagePlan): string {
  const plan = withoutControlCharacters(given);
  const { workloads, oomKills, withoutUsage, notes, currency, pricesOf } = plan;
  const prices = priceAgeText(pricesOf);
  const rest = [
    ...(withoutUsage.length === 0
      ? []
      : [
          `- ${countText(withoutUsage.length, 'workload')} without usage ${withoutUsage.length === 1 ? 'keeps its' : 'keep their'} requests: ${shortListText(withoutUsage)}\n`,
        ]),
    ...notes.map(noteText),
    ...(prices === undefined ? [] : [`- ${prices}\n`]),
  ];
  return [
    [headline(plan), ...conclusions(plan)].map((line) => `${line}\n`).join(''),
    workloads.map((workload) => workloadText(workload, currency)).join(''),
    oomKills.length === 0
      ? ''
      : `More memory in use than the limit, which ends in an OOM kill:\n${oomKills.map(oomText).join('')}`,
    rest.join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function headline({ before, after, currency, workloads, headroom }: UsagePlan): string {
  const fleet = ({ usdPerHour, nodes }: UsageFleet) =>
    `${monthlyPriceText(usdPerHour, currency)} on ${countText(nodes, 'node')}`;
  if (workloads.length === 0) return `No request changes, because no usage belongs to a workload: ${fleet(before)}.`;
  const result = savingText(before, after, currency);
  const isMeasured = workloads.some(({ requests }) => requests.some(({ source }) => source === 'measured'));
  const margin = isMeasured ? ` Measured usage has ${percentText(headroom)} headroom.` : '';
  return `Requests from usage: ${fleet(before)} → ${fleet(after)}${result}.${margin}`;
}

/** Empty if a price is unknown, or other pods have a node, because pods without a node cost nothing. */
function savingText(before: UsageFleet, after: UsageFleet, currency: string): string {
  if (before.usdPerHour === null || after.usdPerHour === null || after.scheduledPods !== before.scheduledPods)
    return '';
  const saved = before.usdPerHour - after.usdPerHour;
  if (saved === 0) return ', saves nothing';
  const money = monthlyPriceText(Math.abs(saved), currency);
  const part = percentText(Math.abs(saved) / before.usdPerHour);
  return saved > 0 ? `, saves ${money} (${part})` : `, costs ${money} more (${part})`;
}

function conclusions({ before, after, shrunk, workloads, currency }: UsagePlan): string[] {
  const resources = ['cpu', 'memory'] as const;
  return [
    ...resources.flatMap((resource) => {
      const single = shrunk[resource];
      if (single === undefined) return [];
      if (!single.savesNothing) return addedBack(resource, single, after, currency);
      return [`Smaller ${NAMES[resource]} requests save nothing by themselves: ${whyNothing(resource, single)}.`];
    }),
    ...resources.flatMap((resource) => {
      const raised = workloads.filter(({ requests }) =>
        requests.some((request) => request.resource === resource && request.after > (request.before ?? 0)),
      );
      return raised.length === 0
        ? []
        : [`Usage raises the ${NAMES[resource]} request of ${shortListText(raised.map(({ workload }) => workload))}.`];
    }),
    ...(after.scheduledPods < before.scheduledPods
      ? [`${countText(before.scheduledPods - after.scheduledPods, 'pod')} with a node now would have none.`]
      : []),
    ...(after.scheduledPods > before.scheduledPods
      ? [
          `${countText(after.scheduledPods - before.scheduledPods, 'pod')} without a node now would have one, so the prices are of different loads.`,
        ]
      : []),
  ];
}

function whyNothing(resource: UsageResource, { requested, binding = [] }: SingleResource): string {
  const other: UsageResource = resource === 'cpu' ? 'memory' : 'cpu';
  const parts = `(${percentText(requested[other])} of the nodes' ${NAMES[other]} is requested, ${percentText(requested[resource])} of their ${NAMES[resource]})`;
  if (binding.length === 0)
    return 'something other than CPU and memory keeps the nodes, such as spread or the sizes that NodePools allow';
  if (binding.length > 1) return `CPU and memory keep the nodes together ${parts}`;
  return binding[0] === other ? `${NAMES[other]} binds ${parts}` : 'they shrink too little for fewer or smaller nodes';
}

/** What the requests of the other resource add to the price that this resource alone leads to. */
function addedBack(
  resource: UsageResource,
  { usdPerHour, scheduledPods }: UsageFleet,
  after: UsageFleet,
  currency: string,
): string[] {
  if (scheduledPods !== after.scheduledPods) return [];
  if (usdPerHour === null || after.usdPerHour === null || after.usdPerHour <= usdPerHour) return [];
  const other = NAMES[resource === 'cpu' ? 'memory' : 'cpu'];
  return [
    `With only the ${NAMES[resource]} requests from usage, it is ${monthlyPriceText(usdPerHour, currency)}: the ${other} requests add ${monthlyPriceText(after.usdPerHour - usdPerHour, currency)}.`,
  ];
}

function workloadText({ workload, replicas, requests, usdPerMonth }: UsageWorkload, currency: string): string {
  const amount = (month: number) => monthlyAmountText(month / HOURS_PER_MONTH, currency);
  const { before, after } = usdPerMonth;
  const money = before === null || after === null ? '' : `, ${changeText(amount(before), amount(after))} a month`;
  const pods = replicas === 0 ? '' : `, ${countText(replicas, 'pod')}`;
  const containers = [...new Set(requests.map(({ container }) => container))];
  const lines = containers.map((container) => {
    const own = requests.filter((request) => request.container === container);
    return `  ${container}: ${listText(own.map(requestText))}\n`;
  });
  return `${workload}${pods}${money}\n${lines.join('')}`;
}

function requestText({ resource, before, after, source, limit, raisesLimit }: UsageRequest): string {
  const now = before === null ? 'none' : shown(resource, before);
  const raised = raisesLimit ? `; above the limit of ${shown(resource, limit!)}, which must be raised` : '';
  return `${NAMES[resource]} ${changeText(now, shown(resource, after))} (${source}${raised})`;
}

function oomText({ workload, container, limit, peak, p99 }: OomKill): string {
  const used =
    p99 === undefined ? shown('memory', peak) : `${shown('memory', p99)} at p99, ${shown('memory', peak)} at the peak`;
  return `  ${workload}, container ${container}: ${used}; the limit is ${shown('memory', limit)}\n`;
}

function noteText({ message, places }: UsageNote): string {
  return `- ${message} (${shortListText(places, MAX_PLACES)})\n`;
}

function shown(resource: UsageResource, amount: number): string {
  return resource === 'cpu'
    ? formatAmount('cpu', BigInt(amount))
    : quantityText('memory', BigInt(Math.ceil(amount)) * 1000n);
}
