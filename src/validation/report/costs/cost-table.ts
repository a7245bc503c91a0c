import { fixedText, listText, moreText, numberText } from '../../../model';
import { COST_ROWS, CostAllocation, CostRow } from '../../vocabulary/cost-allocation';

const CENTS = 2;

/** Who pays, as rows of text: a head, one row for each name, the others together, and all. */
export interface CostTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** What the columns are, as sentences. */
  readonly notes: readonly string[];
}

/** @param most rows; the cheapest others are one row */
export function costTable(costs: CostAllocation, most: number): CostTable {
  const { by, currency, rows, weights, notes } = costs;
  const hasGpus = rows.some(({ gpuRequestAverage }) => gpuRequestAverage > 0) || costs.idle.gpuCost > 0;
  const shown = rows.length > most + 1 ? rows.slice(0, most) : rows;
  const others = rows.slice(shown.length);
  const cells = (name: string, row: Costs) => [
    name,
    numberText(row.pods),
    ...[row.cpuCost, row.ramCost, ...(hasGpus ? [row.gpuCost] : []), row.sharedCost, row.idleCost, row.totalCost].map(
      (amount) => fixedText(amount, CENTS),
    ),
  ];
  return {
    title: `Cost by ${by.replace(/^label:/, 'label ')}, ${currency === 'USD' ? '$' : currency} a month`,
    head: [
      by.startsWith('label:') ? by.slice('label:'.length) : by,
      'pods',
      'CPU',
      'memory',
      ...(hasGpus ? ['GPU'] : []),
      'shared',
      'idle',
      'total',
    ],
    rows: [
      ...shown.map((row) => cells(rowNameOf(row.name, by), row)),
      ...(others.length > 0 ? [cells(moreText(others.length), sumOf(others))] : []),
      ...(rows.length > 1 ? [cells('all', sumOf(rows))] : []),
    ],
    notes: [
      sharedText(costs),
      `the price of a node is divided with OpenCost's default weights: ${weights.cpuCoreHour} for a core, ` +
        `${weights.ramGiBHour} for a GiB${hasGpus ? `, ${weights.gpuHour} for a GPU` : ''}; volumes and network traffic are not part of it`,
      ...(costs.limitCost === null
        ? []
        : [`worst case: the limits of all NodePools allow ${fixedText(costs.limitCost, CENTS)} a month at most`]),
      ...notes,
    ],
  };
}

type Costs = Pick<CostRow, 'pods' | 'cpuCost' | 'ramCost' | 'gpuCost' | 'sharedCost' | 'idleCost' | 'totalCost'>;

/** Rows that stand for no name have one in words. */
export function rowNameOf(name: string, by: string): string {
  if (name === COST_ROWS.idle) return 'nodes without pods';
  return name === COST_ROWS.unallocated ? (by === 'pool' ? 'no NodePool' : 'without the label') : name;
}

function sumOf(rows: readonly CostRow[]): Costs {
  const sum = (value: (row: CostRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    pods: sum(({ pods }) => pods),
    cpuCost: sum(({ cpuCost }) => cpuCost),
    ramCost: sum(({ ramCost }) => ramCost),
    gpuCost: sum(({ gpuCost }) => gpuCost),
    sharedCost: sum(({ sharedCost }) => sharedCost),
    idleCost: sum(({ idleCost }) => idleCost),
    totalCost: sum(({ totalCost }) => totalCost),
  };
}

/** What the shared and the idle costs are, without amounts of 0. */
function sharedText({ daemonSets, system, idle }: CostAllocation): string {
  const amounts = (parts: ReadonlyArray<readonly [string, number]>) =>
    listText(parts.filter(([, amount]) => amount > 0).map(([name, amount]) => `${name} ${fixedText(amount, CENTS)}`)) ||
    'nothing';
  const shared = amounts([
    ['DaemonSets', daemonSets.totalCost],
    ['what is reserved for the system', system.totalCost],
  ]);
  const unused = amounts([
    ['CPU', idle.cpuCost],
    ['memory', idle.ramCost],
    ['GPU', idle.gpuCost],
  ]);
  return `shared: ${shared}; idle, which nothing requests: ${unused}`;
}
