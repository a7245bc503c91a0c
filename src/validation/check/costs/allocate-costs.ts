import { CostKey, costKeys } from './cost-by';
import { dividePrice, PaidByPods, Purpose, PURPOSES } from './divide-price';
import { mapPriced, PRICED, PricedAmounts, WEIGHTS } from './node-shares';
import { PodsOfWorkload } from './pods-on-nodes';
import { countText, listText, monthlyPrice } from '../../../model';
import { byCodePoint } from '../../order';
import { CostAllocation, CostRow, ResourceCosts } from '../../vocabulary/cost-allocation';
import { NodeVerdict } from '../../vocabulary/node-verdict';
import { NodePoolVerdict } from '../../vocabulary/verdict';

const CENTS = 100;
const BYTES_PER_GIB = 2 ** 30;
/** The most nodes that a note names. */
const MAX_NAMES = 3;

/** What a row pays a month, in cents with fractions, by purpose and resource. */
interface RowSum {
  readonly key: CostKey;
  pods: number;
  requests: PricedAmounts;
  readonly cells: number[];
}

/** The same row in whole cents. */
interface RowCents extends RowSum {
  readonly cents: readonly number[];
}

interface AllocationOptions extends Pick<CostAllocation, 'by' | 'currency'> {
  readonly pools: ReadonlyArray<Pick<NodePoolVerdict, 'name' | 'limitCostPerHour'>>;
}

const COLUMNS = PURPOSES.flatMap((purpose) => PRICED.map((resource) => ({ purpose, resource })));

/**
 * Who pays for the nodes, in whole cents that add up.
 *
 * @param pods of the nodes, in their order
 * @throws Error if there is no such dimension
 */
export function allocateCosts(
  nodes: readonly NodeVerdict[],
  pods: ReadonlyArray<readonly PodsOfWorkload[]>,
  { by, currency, pools }: AllocationOptions,
): CostAllocation {
  const sums = rowSums(nodes, pods, by);
  const totals = roundedParts(sums.map(({ cells }) => cells.reduce((sum, cell) => sum + cell, 0)));
  const rows = sums.map((row, index): RowCents => ({ ...row, cents: roundedParts(row.cells, totals[index]) }));
  const costs = (purposes: readonly Purpose[]) => resourceCosts(rows, purposes);
  return {
    by,
    currency,
    totalCost: usd(totals.reduce((sum, cents) => sum + cents, 0)),
    limitCost: pools.some(({ limitCostPerHour }) => limitCostPerHour === null)
      ? null
      : usd(Math.round(monthlyPrice(pools.reduce((sum, pool) => sum + pool.limitCostPerHour!, 0)) * CENTS)),
    nodes: nodes.filter(({ price }) => price !== null).length,
    weights: { cpuCoreHour: WEIGHTS.cpu, ramGiBHour: WEIGHTS.ram, gpuHour: WEIGHTS.gpu },
    rows: rows.map(costRow).sort((a, b) => b.totalCost - a.totalCost || byCodePoint(a.name, b.name)),
    daemonSets: costs(['daemonSets']),
    system: costs(['system']),
    idle: costs(['idle']),
    notes: [...notesOf(nodes), ...unlimitedNotes(pools)],
  };
}

/**
 * The price an hour of the pods of each workload, by `namespace/name`. Workloads on a node without a price are missing.
 */
export function costsByWorkload(
  nodes: readonly NodeVerdict[],
  pods: ReadonlyArray<readonly PodsOfWorkload[]>,
): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  const unknown = new Set<string>();
  nodes.forEach((node, index) => {
    for (const { pods: group, parts } of dividePrice(node, pods[index])) {
      if (group === undefined) continue;
      const name = `${group.namespace}/${group.name}`;
      if (node.price === null) unknown.add(name);
      const paid = COLUMNS.reduce((sum, { purpose, resource }) => sum + parts[purpose][resource], 0);
      costs.set(name, (costs.get(name) ?? 0) + paid);
    }
  });
  for (const name of unknown) costs.delete(name);
  return new Map([...costs].map(([name, cost]) => [name, Math.round(cost * 1e6) / 1e6]));
}

function rowSums(nodes: readonly NodeVerdict[], pods: ReadonlyArray<readonly PodsOfWorkload[]>, by: string): RowSum[] {
  const keys = costKeys(by);
  const rows = new Map<string, RowSum>();
  nodes.forEach((node, index) => {
    if (node.price === null) return;
    for (const paid of dividePrice(node, pods[index])) {
      const key = paid.pods === undefined ? keys.ofEmpty(node) : keys.of(paid.pods, node);
      const id = JSON.stringify(key);
      const row = rows.get(id) ?? { key, pods: 0, requests: mapPriced(() => 0), cells: COLUMNS.map(() => 0) };
      rows.set(id, row);
      addTo(row, paid);
    }
  });
  return [...rows].sort(([a], [b]) => byCodePoint(a, b)).map(([, row]) => row);
}

function addTo(row: RowSum, { pods, requests, parts }: PaidByPods): void {
  const before = row.requests;
  row.pods += pods?.pods ?? 0;
  row.requests = mapPriced((resource) => before[resource] + requests[resource]);
  COLUMNS.forEach(({ purpose, resource }, column) => {
    row.cells[column] += monthlyPrice(parts[purpose][resource]) * CENTS;
  });
}

function costRow({ key, pods, requests, cents }: RowCents): CostRow {
  const cost = (purposes: readonly Purpose[], resources: readonly string[] = PRICED) =>
    usd(cents.filter((_, column) => isIn(column, purposes, resources)).reduce((sum, amount) => sum + amount, 0));
  return {
    ...key,
    pods,
    cpuCoreRequestAverage: rounded(requests.cpu),
    ramByteRequestAverage: Math.round(requests.ram * BYTES_PER_GIB),
    gpuRequestAverage: rounded(requests.gpu),
    cpuCost: cost(['own'], ['cpu']),
    ramCost: cost(['own'], ['ram']),
    gpuCost: cost(['own'], ['gpu']),
    pvCost: 0,
    sharedCost: cost(['daemonSets', 'system']),
    idleCost: cost(['idle']),
    totalCost: cost(PURPOSES),
  };
}

function resourceCosts(rows: readonly RowCents[], purposes: readonly Purpose[]): ResourceCosts {
  const cost = (resources: readonly string[]) =>
    usd(
      rows.reduce(
        (sum, { cents }) =>
          cents.reduce((all, amount, column) => (isIn(column, purposes, resources) ? all + amount : all), sum),
        0,
      ),
    );
  return { cpuCost: cost(['cpu']), ramCost: cost(['ram']), gpuCost: cost(['gpu']), totalCost: cost(PRICED) };
}

function isIn(column: number, purposes: readonly Purpose[], resources: readonly string[]): boolean {
  const { purpose, resource } = COLUMNS[column];
  return purposes.includes(purpose) && resources.includes(resource);
}

function notesOf(nodes: readonly NodeVerdict[]): string[] {
  const unpriced = nodes.filter(({ price }) => price === null).map(({ name }) => name);
  if (unpriced.length === 0) return [];
  const names = unpriced.length <= MAX_NAMES ? listText(unpriced) : `${unpriced.slice(0, MAX_NAMES).join(', ')}, …`;
  return [
    `the costs are without ${countText(unpriced.length, 'node')} whose price is unknown or paid for by a reservation: ${names}`,
  ];
}

function unlimitedNotes(pools: AllocationOptions['pools']): string[] {
  const unlimited = pools.flatMap(({ name, limitCostPerHour }) => (limitCostPerHour === null ? [name] : []));
  return unlimited.length === 0
    ? []
    : [
        `no limit bounds the cost of NodePool ${unlimited.length <= MAX_NAMES ? listText(unlimited) : `${unlimited.slice(0, MAX_NAMES).join(', ')}, …`}`,
      ];
}

/** Thousandths, without the noise of floating-point sums. */
function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000;
}

function usd(cents: number): number {
  return cents / CENTS;
}

/**
 * Whole numbers that add up to the rounded sum of the amounts, each less than one away from its amount. The largest
 * fractions are rounded up; of equal ones the first.
 *
 * @param amounts not negative
 * @param total @default - the rounded sum
 */
export function roundedParts(amounts: readonly number[], total?: number): number[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const wanted = total ?? Math.round(sum);
  // With a given total, the parts are scaled to it first.
  const scaled = sum > 0 ? amounts.map((amount) => (amount * wanted) / sum) : [...amounts];
  const parts = scaled.map(Math.floor);
  const left = wanted - parts.reduce((all, part) => all + part, 0);
  const byFraction = scaled
    .map((amount, index) => ({ index, fraction: amount - parts[index] }))
    .sort((a, b) => b.fraction - a.fraction || a.index - b.index);
  for (const { index } of byFraction.slice(0, Math.max(0, left))) parts[index]++;
  return parts;
}
