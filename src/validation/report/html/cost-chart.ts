import { NodeClaimVerdict } from '../verdict';
import { hourlyPrice } from '../wording';
import { categoryAxis, chart, LEGEND, valueAxis, WITH_LABELS } from './chart';
import { Markup, NOTHING } from './markup';

/** The most expensive NodePools get a bar of their own. */
const MAX_POOLS = 12;
const OTHERS = 'all others';
const COLORS: Readonly<Record<string, string>> = { 'spot': '#3d7dca', 'on-demand': '#d9822b', 'reserved': '#4a9c6d' };

/** USD per hour of each NodePool's nodes, by capacity type. */
export function costChart(nodeClaims: readonly NodeClaimVerdict[]): Markup {
  const costs = new Map<string, Map<string, number>>();
  for (const { nodePool, launch } of nodeClaims) {
    if (!launch) continue;
    const { capacityType, usdPerHour } = launch.cheapest;
    const byType = costs.get(nodePool) ?? new Map<string, number>();
    costs.set(nodePool, byType.set(capacityType, (byType.get(capacityType) ?? 0) + usdPerHour));
  }
  if (costs.size === 0) return NOTHING;
  const bars = barsOf(costs);
  const types = [...new Set(bars.flatMap(({ byType }) => [...byType.keys()]))].sort();
  return chart('cost', `Price per hour of each NodePool: ${bars.map(({ name, total }) => `${name} ${hourlyPrice(total)}`).join(', ')}`, 72 + 30 * bars.length, {
    grid: { left: 24, right: 24, top: 28, bottom: 8, ...WITH_LABELS },
    legend: { ...LEGEND, formatter: '{name}, $/h' },
    xAxis: valueAxis(),
    yAxis: categoryAxis({ inverse: true, axisLabel: { fontSize: 12, width: 200, overflow: 'truncate' }, data: bars.map(({ name }) => name) }),
    series: types.map((type) => ({
      name: type,
      type: 'bar',
      stack: 'cost',
      barMaxWidth: 18,
      itemStyle: { color: COLORS[type] },
      data: bars.map(({ byType }) => byType.get(type) ?? 0),
    })),
  });
}

interface Bar {
  readonly name: string;
  readonly total: number;
  readonly byType: ReadonlyMap<string, number>;
}

function barsOf(costs: ReadonlyMap<string, ReadonlyMap<string, number>>): Bar[] {
  const bars = [...costs].map(([name, byType]): Bar => ({ name, byType, total: [...byType.values()].reduce((sum, usd) => sum + usd, 0) }))
    .sort((left, right) => right.total - left.total || (left.name < right.name ? -1 : 1));
  if (bars.length <= MAX_POOLS) return bars;
  const rest = bars.slice(MAX_POOLS - 1);
  const byType = new Map<string, number>();
  for (const bar of rest) for (const [type, usd] of bar.byType) byType.set(type, (byType.get(type) ?? 0) + usd);
  return [...bars.slice(0, MAX_POOLS - 1), { name: OTHERS, byType, total: rest.reduce((sum, { total }) => sum + total, 0) }];
}
