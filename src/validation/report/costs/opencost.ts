import { HOURS_PER_MONTH, jsonText } from '../../../model';
import { COST_ROWS, CostAllocation, CostRow } from '../../vocabulary/cost-allocation';

/** A month. Manifests have no date, so that the window always begins on the same day. */
const START = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;
const MINUTES_PER_HOUR = 60;
const CENTS = 100;

type Allocation = Omit<CostRow, 'idleCost'>;

/**
 * The costs as the answer of OpenCost to `/allocation`: one window with an allocation for each row, and one for what is
 * idle. Without costs, it has no allocations.
 *
 * @see https://github.com/opencost/opencost/blob/develop/core/pkg/opencost/allocation_json.go
 */
export function renderOpenCostJson(costs: CostAllocation | undefined): string {
  const window = { start: timeText(START), end: timeText(START + HOURS_PER_MONTH * HOUR_MS) };
  const allocations = allocationsOf(costs).map((row) => [row.name, allocation(row, window)] as const);
  return jsonText({ code: 200, status: 'success', data: [Object.fromEntries(allocations)] });
}

/**
 * The costs with the columns of OpenCost's export to CSV, one line for each row and for what is idle.
 *
 * @see https://github.com/opencost/opencost/blob/develop/pkg/costmodel/csv_export.go
 */
export function renderOpenCostCsv(costs: CostAllocation | undefined): string {
  const rows = allocationsOf(costs);
  const labels = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties.labels ?? {})))];
  const columns: ReadonlyArray<readonly [string, (row: Allocation) => string | number]> = [
    ['Date', () => timeText(START).slice(0, 'YYYY-MM-DD'.length)],
    ['Namespace', ({ properties }) => properties.namespace ?? ''],
    ['ControllerKind', ({ properties }) => properties.controllerKind ?? ''],
    ['ControllerName', ({ properties, name }) => properties.controller ?? (name === COST_ROWS.idle ? name : '')],
    ['Pod', ({ properties }) => properties.pod ?? ''],
    ['Container', () => ''],
    ['CPUCoreUsageAverage', () => 0],
    ['CPUCoreRequestAverage', ({ cpuCoreRequestAverage }) => cpuCoreRequestAverage],
    ['RAMBytesUsageAverage', () => 0],
    ['RAMBytesRequestAverage', ({ ramByteRequestAverage }) => ramByteRequestAverage],
    ['NetworkReceiveBytes', () => 0],
    ['NetworkTransferBytes', () => 0],
    ['GPUs', ({ gpuRequestAverage }) => gpuRequestAverage],
    ['PVBytes', () => 0],
    ['CPUCost', ({ cpuCost }) => cpuCost],
    ['RAMCost', ({ ramCost }) => ramCost],
    ['NetworkCost', () => 0],
    ['PVCost', ({ pvCost }) => pvCost],
    ['GPUCost', ({ gpuCost }) => gpuCost],
    ['SharedCost', ({ sharedCost }) => sharedCost],
    ['TotalCost', ({ totalCost }) => totalCost],
    ['Node', ({ properties }) => properties.node ?? ''],
    ...labels.map(
      (label) => [`Label_${label}`, ({ properties }: Allocation) => properties.labels?.[label] ?? ''] as const,
    ),
  ];
  const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => value(row)))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** The rows without their part of what is idle, which is a row of its own, as in OpenCost. */
function allocationsOf(costs: CostAllocation | undefined): Allocation[] {
  if (costs === undefined) return [];
  const { rows, idle, totalCost } = costs;
  const named = rows
    .filter(({ name }) => name !== COST_ROWS.idle)
    .map(({ idleCost, ...row }): Allocation => ({ ...row, totalCost: cents(row.totalCost - idleCost) }));
  const paid = named.reduce((sum, row) => sum + row.totalCost, 0);
  const rest = cents(totalCost - paid);
  if (rest === 0) return named;
  const { cpuCost, ramCost, gpuCost } = idle;
  const sharedCost = cents(rest - idle.totalCost);
  return [...named, { ...NOTHING, cpuCost, ramCost, gpuCost, sharedCost, totalCost: rest }];
}

const NOTHING: Allocation = {
  name: COST_ROWS.idle,
  properties: {},
  pods: 0,
  cpuCoreRequestAverage: 0,
  ramByteRequestAverage: 0,
  gpuRequestAverage: 0,
  cpuCost: 0,
  ramCost: 0,
  gpuCost: 0,
  pvCost: 0,
  sharedCost: 0,
  totalCost: 0,
};

/** The fields that OpenCost has for costs and requests. It measures usage and network, which manifests do not have. */
function allocation(row: Allocation, window: { readonly start: string; readonly end: string }): object {
  const { name, properties, cpuCoreRequestAverage, ramByteRequestAverage, gpuRequestAverage } = row;
  const { cpuCost, ramCost, gpuCost, pvCost, sharedCost, totalCost } = row;
  return {
    name,
    properties,
    window,
    start: window.start,
    end: window.end,
    minutes: HOURS_PER_MONTH * MINUTES_PER_HOUR,
    cpuCores: cpuCoreRequestAverage,
    cpuCoreRequestAverage,
    cpuCoreUsageAverage: 0,
    cpuCoreHours: cpuCoreRequestAverage * HOURS_PER_MONTH,
    cpuCost,
    cpuCostAdjustment: 0,
    cpuCostIdle: 0,
    cpuEfficiency: 0,
    gpuCount: gpuRequestAverage,
    gpuRequestAverage,
    gpuHours: gpuRequestAverage * HOURS_PER_MONTH,
    gpuCost,
    gpuCostAdjustment: 0,
    gpuCostIdle: 0,
    networkCost: 0,
    loadBalancerCost: 0,
    pvBytes: 0,
    pvByteHours: 0,
    pvCost,
    pvs: null,
    ramBytes: ramByteRequestAverage,
    ramByteRequestAverage,
    ramByteUsageAverage: 0,
    ramByteHours: ramByteRequestAverage * HOURS_PER_MONTH,
    ramCost,
    ramCostAdjustment: 0,
    ramCostIdle: 0,
    ramEfficiency: 0,
    externalCost: 0,
    sharedCost,
    totalCost,
    totalEfficiency: 0,
  };
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Spreadsheets run a cell that begins like a formula, so that a quote is put in front of it. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cents(amount: number): number {
  return Math.round(amount * CENTS) / CENTS;
}
