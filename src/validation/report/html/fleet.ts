import { anchor, html, Markup, NOTHING, when } from './markup';
import { FIELD, nodeField, usedShare } from './node-field';
import { Palette, paletteOf } from './palette';
import { isGpu, resourceName } from './resource-names';
import {
  baseUnitText,
  countText,
  hourlyAmountText,
  hourlyPriceText,
  moreText,
  numberText,
  percentText,
} from '../../../model';
import { NodeVerdict, Verdict } from '../../vocabulary/verdict';

/** Above this number, nodes are drawn as small tiles without text. */
const MAX_LABELLED = 120;
const METERS = ['cpu', 'memory'];
/** A pool of nodes that Karpenter did not launch. */
const OTHER_NODES = 'not launched by Karpenter';

/** A drawing of all nodes: a group for each NodePool, a tile for each node, a cell for each pod. */
export function fleetPart({ nodes, nodePools, summary }: Verdict): Markup {
  if (nodes.length === 0) return NOTHING;
  const isDense = nodes.length > MAX_LABELLED;
  const palette = paletteOf(nodes, 'namespace');
  const total = costOf(nodes);
  const groups = groupsOf(nodes);
  return html`<section id="fleet" class="sec" aria-labelledby="h-fleet">
<header><h2 id="h-fleet">Fleet</h2><div class="tools" data-script hidden>
<span class="seg" role="group" aria-label="Color by"><span class="lab">Color by</span><button type="button" data-color="namespace" aria-pressed="true">Namespace</button><button type="button" data-color="workload" aria-pressed="false">Workload</button></span>
<span class="seg" role="group" aria-label="Divide by"><span class="lab">Divide by</span><button type="button" data-resource="cpu" aria-pressed="true">CPU</button><button type="button" data-resource="memory" aria-pressed="false">Memory</button></span>
</div><p>A tile is a node, wider with more vCPUs. Its field is the whole capacity; each cell is a pod, as large as its request. The bars are shares of what the system leaves for pods.<span data-script hidden> Choose a node to see why it was launched; arrow keys move between nodes.</span></p></header>
${legend(palette)}
<div class="fleet"><div class="map${isDense ? ' dense' : ''}">${groups.map(([name, members]) =>
    poolGroup(name, members, {
      isDense,
      palette,
      total,
      currency: summary.cost.currency,
      isKnown: nodePools.some((pool) => pool.name === name),
      nodes,
    }),
  )}</div>
<aside class="panel" aria-label="Node" data-script hidden></aside></div>
</section>
`;
}

interface Drawing {
  readonly isDense: boolean;
  readonly palette: Palette;
  readonly total: number;
  readonly currency: string;
  readonly isKnown: boolean;
  readonly nodes: readonly NodeVerdict[];
}

function legend(palette: Palette): Markup {
  return html`<div class="legend">${palette.entries.map(
    ({ key, color, pods }) =>
      html`<button type="button" class="chip" data-key="${key}" aria-pressed="false"><span class="dot ${color}"></span>${key} <span class="soft">${pods}</span></button>`,
  )}
<span class="chip static"><svg class="mark" aria-hidden="true"><rect width="14" height="9" class="p-system"/></svg>system</span><span class="chip static"><svg class="mark" aria-hidden="true"><rect width="14" height="9" class="p-daemons"/></svg>DaemonSets</span><span class="chip static"><span class="free"></span>free</span></div>
`;
}

/** The most expensive pools first. */
function groupsOf(nodes: readonly NodeVerdict[]): Array<readonly [string, NodeVerdict[]]> {
  const groups = new Map<string, NodeVerdict[]>();
  for (const node of nodes) {
    const key = node.nodePool ?? OTHER_NODES;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return [...groups]
    .map(
      ([name, members]) =>
        [
          name,
          members.sort((a, b) => costOf([b]) - costOf([a]) || (b.capacity.cpu ?? 0) - (a.capacity.cpu ?? 0)),
        ] as const,
    )
    .sort(([a, left], [b, right]) => costOf(right) - costOf(left) || (a < b ? -1 : 1));
}

function costOf(nodes: readonly NodeVerdict[]): number {
  return nodes.reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
}

function poolGroup(name: string, members: readonly NodeVerdict[], drawing: Drawing): Markup {
  const { total, currency } = drawing;
  const cost = costOf(members);
  const pods = members.reduce(
    (sum, { workloads }) => sum + workloads.reduce((count, { pods: each }) => count + each, 0),
    0,
  );
  const existing = members.filter((node) => node.existing).length;
  const facts = [
    existing === 0
      ? countText(members.length, 'node')
      : existing === members.length
        ? `${countText(existing, 'node')} of the cluster`
        : `${existing} of the cluster and ${members.length - existing} new`,
    countText(pods, 'pod'),
    ...(cost > 0
      ? [`${hourlyPriceText(cost, currency)}${total > 0 ? `, ${percentText(cost / total)} of the price` : ''}`]
      : []),
  ];
  return html`<div class="pool" data-pool="${name}"><h3>${drawing.isKnown ? html`<a href="#${anchor('pool', name)}">${name}</a>` : name} <span>${facts.join(' · ')}</span></h3>
<div class="tiles">${members.map((node) => tile(node, drawing))}</div></div>
`;
}

function tile(node: NodeVerdict, drawing: Drawing): Markup {
  const { name, instanceType, price, zone, capacityType, existing } = node;
  const { isDense, currency, nodes } = drawing;
  const attributes = html`type="button" class="tile" id="${anchor('node', name)}" data-node="${nodes.indexOf(node)}" style="--w:${widthOf(node, isDense)}px" tabindex="-1" aria-pressed="false"`;
  if (isDense)
    return html`<button ${attributes} aria-label="${labelOf(node, currency)}">${field(node, drawing)}</button>`;
  const badges = [
    ...(capacityType === null ? [] : [[capacityType, capacityType === 'spot' ? 'spot' : 'od']]),
    ...(zone === null ? [] : [[zone, '']]),
    ...(existing ? [['exists', 'od']] : []),
  ];
  return html`<button ${attributes}><span class="a"><b>${name}</b><span>${price === null ? '' : hourlyAmountText(price.perHour, currency)}</span></span>
<span class="b mono">${instanceType ?? 'no launch'}</span><span class="c">${badges.map(([text, style]) => html`<span class="tag ${style}">${text}</span>`)}</span>
${field(node, drawing)}${meters(node)}</button>
`;
}

function widthOf({ capacity: { cpu = 1 } }: NodeVerdict, isDense: boolean): number {
  return Math.round(isDense ? 14 + 3 * Math.sqrt(cpu) : 122 + 9 * Math.sqrt(cpu));
}

/** What a screen reader says about a tile. */
function labelOf(node: NodeVerdict, currency: string): string {
  const { name, instanceType, zone, capacityType, price, workloads } = node;
  const pods = workloads.reduce((sum, { pods: count }) => sum + count, 0);
  const shares = meteredResources(node).map(
    (resource) => `${resourceName(resource)} ${percentText(usedShare(node, resource)!)}`,
  );
  return [
    name,
    instanceType ?? 'cannot be launched',
    ...(capacityType === null ? [] : [capacityType]),
    ...(zone === null ? [] : [zone]),
    ...(price === null ? [] : [hourlyPriceText(price.perHour, currency)]),
    countText(pods, 'pod'),
    ...shares,
  ].join(', ');
}

function field(node: NodeVerdict, { isDense, palette }: Drawing): Markup {
  return html`<svg class="plot" viewBox="0 0 ${FIELD.width} ${FIELD.height}" preserveAspectRatio="none" aria-hidden="true">${nodeField(
    node,
    'cpu',
    'namespace',
    isDense,
  ).map(({ kind, key, path }) =>
    kind === 'pods'
      ? html`<path class="p ${palette.colorOf(key)}" data-key="${key}" d="${path}"/>`
      : html`<path class="p-${kind}" d="${path}"/>`,
  )}</svg>`;
}

/** CPU, memory, and GPUs if the node has some. */
export function meteredResources(node: NodeVerdict): string[] {
  return [...METERS, ...Object.keys(node.allocatable).filter(isGpu)].filter(
    (resource) => usedShare(node, resource) !== undefined,
  );
}

function meters(node: NodeVerdict): Markup {
  return html`${meteredResources(node).map((resource) => {
    const share = usedShare(node, resource)!;
    const title = `${baseUnitText(resource, share * node.allocatable[resource])} of ${baseUnitText(resource, node.allocatable[resource])} requested`;
    return html`<span class="mt" title="${title}"><span>${resource === 'memory' ? 'Mem' : resourceName(resource)}</span><i><u style="width:${(share * 100).toFixed(1)}%"></u></i><b>${percentText(share)}</b></span>`;
  })}`;
}

/** The nodes as a table, for readers without the drawing. */
export function nodeTable({
  nodes,
  summary: {
    cost: { currency },
  },
}: Verdict): Markup {
  return when(
    nodes.length > 0,
    () => html`<details class="card" id="nodes"><summary>Nodes as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Nodes"><table class="grid"><thead><tr><th>Node</th><th>Pool</th><th>Type</th><th>Capacity</th><th>Zone</th><th class="r">Price per hour</th><th class="r">Pods</th><th class="r">CPU</th><th class="r">Memory</th><th>Workloads</th></tr></thead>
<tbody>${nodes.map((node) => tableRow(node, currency))}</tbody></table></div></details>
`,
  );
}

const MAX_WORKLOADS = 12;

function tableRow(node: NodeVerdict, currency: string): Markup {
  const { name, nodePool, instanceType, capacityType, zone, price, workloads, existing } = node;
  const pods = workloads.reduce((sum, { pods: count }) => sum + count, 0);
  const shown = workloads
    .slice(0, MAX_WORKLOADS)
    .map(({ workload, pods: count }) => `${numberText(count)} × ${workload}`);
  const share = (resource: string) => {
    const used = usedShare(node, resource);
    return used === undefined ? '–' : percentText(used);
  };
  return html`<tr><td>${name}${existing ? ' (exists)' : ''}</td><td>${nodePool ?? '–'}</td><td class="mono">${instanceType ?? 'cannot be launched'}</td><td>${capacityType ?? '–'}</td><td>${zone ?? '–'}</td><td class="r">${
    price === null ? '–' : hourlyPriceText(price.perHour, currency)
  }</td><td class="r">${numberText(pods)}</td><td class="r">${share('cpu')}</td><td class="r">${share('memory')}</td><td>${shown.join(', ')}${workloads.length > MAX_WORKLOADS ? ` and ${moreText(workloads.length - MAX_WORKLOADS)}` : ''}</td></tr>
`;
}
