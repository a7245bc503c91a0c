import { countText, hourlyPriceCell, hourlyPriceUnit, numberText } from '../../../model';
import { NodeVerdict, Verdict } from '../../vocabulary/verdict';
import { groupNodes, NodeTableRow, sharesOf } from '../node-groups';
import { omittedText, PRINT_ALL } from '../wording';
import { Layout } from './layout';
import { meterTable, MeterRow } from './meter-table';

/** The most rows. More nodes are joined by NodePool and instance type. */
const MAX_ROWS = 20;
/** Up to so many rows name the workloads of their nodes. */
const MAX_ROWS_WITH_PODS = 5;
/** The most zones of one row. */
const MAX_ZONES = 3;
const REGION = /^[a-z]{2,4}(?:-[a-z]+)+-\d+(?=.)/;
const ACCELERATOR = /\/(?:gpu|neuron\w*|gaudi)$/;

/** The nodes with the requested share of CPU, memory, GPUs and pods as bars. Equal nodes share a row. */
export function describeNodeTable(
  verdict: Pick<Verdict, 'nodes' | 'nodeClaims' | 'filledNodes' | 'summary'>,
  layout: Layout,
): string[] {
  const {
    nodes,
    nodeClaims,
    filledNodes,
    summary: {
      cost: { currency },
    },
  } = verdict;
  if (nodes.length === 0) return [];
  const isMixed = nodes.some(({ existing }) => existing);
  const groups = groupNodes(nodes, layout.verbose ? Infinity : MAX_ROWS);
  const printed = layout.verbose ? groups : groups.slice(0, MAX_ROWS);
  const left = groups.slice(printed.length).reduce((sum, group) => sum + group.nodes.length, 0);
  const accelerators = [
    ...new Set(
      nodes.flatMap(({ allocatable }) => Object.keys(allocatable).filter((resource) => ACCELERATOR.test(resource))),
    ),
  ];
  const region = commonRegion(nodes);
  const filled = new Set(filledNodes.map(({ node }) => node));
  const failures = new Map(nodeClaims.map(({ id, launchFailure }) => [id, launchFailure]));
  const rows = printed.map(
    (group): MeterRow => ({
      mark: isMixed ? markOf(group, filled) : '',
      name:
        group.nodes.length === 1 ? group.nodes[0].name : `${group.nodes[0].name} × ${numberText(group.nodes.length)}`,
      what: whatOf(group, region),
      price: group.pricePerNode === null ? '-' : hourlyPriceCell(group.pricePerNode),
      shares: [
        ...sharesOf(group.nodes, ['cpu', 'memory']),
        ...(accelerators.length > 0 ? [acceleratorShare(group, accelerators)] : []),
        ...sharesOf(group.nodes, ['pods']),
      ],
      below: belowRow(group, failures, printed.length, layout),
    }),
  );
  const title = `Nodes${region === '' ? '' : ` in ${region}`}${isMixed ? ' (+ new, > gets pods)' : ''}`;
  const titles = [`${title}, requested of allocatable`, title];
  const meters = ['CPU', 'memory', ...(accelerators.length > 0 ? [acceleratorTitle(accelerators)] : []), 'pods'];
  return [
    ...meterTable({ titles, price: hourlyPriceUnit(currency), meters, rows }, layout),
    ...(left === 0 ? [] : [`  ${omittedText(left, 'node', PRINT_ALL)}`]),
  ];
}

function markOf({ nodes }: NodeTableRow, filled: ReadonlySet<string>): string {
  if (!nodes[0].existing) return '+';
  return nodes.some(({ name }) => filled.has(name)) ? '>' : '';
}

/** Instance type, capacity type and zones, as far as they are known. */
function whatOf({ nodes }: NodeTableRow, region: string): string {
  const [{ instanceType, capacityType, existing }] = nodes;
  if (instanceType === null) return existing ? '' : 'cannot be launched';
  const zones = [...new Set(nodes.flatMap(({ zone }) => (zone === null ? [] : [zone.slice(region.length)])))].sort();
  const zoneText = zones.length > MAX_ZONES ? countText(zones.length, 'zone') : zones.join(',');
  return [instanceType, capacityType ?? '', zoneText].filter((part) => part !== '').join(' ');
}

/** What all zones of the nodes have in front of their letter; empty if that differs. */
function commonRegion(nodes: readonly NodeVerdict[]): string {
  const regions = new Set(nodes.flatMap(({ zone }) => (zone === null ? [] : [REGION.exec(zone)?.[0] ?? ''])));
  return regions.size === 1 ? [...regions][0] : '';
}

function acceleratorShare({ nodes }: NodeTableRow, accelerators: readonly string[]): number | null {
  const shares = sharesOf(nodes, accelerators).filter((share) => share !== null);
  return shares.length === 0 ? null : Math.max(...shares);
}

function acceleratorTitle(accelerators: readonly string[]): string {
  if (accelerators.every((resource) => resource.endsWith('/gpu'))) return 'GPU';
  return accelerators.every((resource) => resource.includes('/neuron')) ? 'Neuron' : 'accelerators';
}

/** The workloads of the nodes if there are few rows, and why a node cannot be launched. */
function belowRow(
  { nodes, areEqual }: NodeTableRow,
  failures: ReadonlyMap<string, string | undefined>,
  rows: number,
  layout: Layout,
): string[] {
  const [{ name, workloads }] = nodes;
  const failure = failures.get(name);
  return [
    ...(failure === undefined ? [] : [layout.wrap(`    ${failure}`)]),
    ...(layout.verbose || !areEqual || rows > MAX_ROWS_WITH_PODS || workloads.length === 0
      ? []
      : [
          layout.cut(
            `    runs ${workloads.map(({ workload, pods }) => `${numberText(pods)} × ${workload}`).join(', ')}`,
            layout.width,
          ),
        ]),
  ];
}
