import { formatUsd } from '../section';
import { NodeClaimVerdict } from '../verdict';
import { categoryAxis, chart, LEGEND, valueAxis, WITH_LABELS } from './chart';
import { Markup, NOTHING } from './markup';

/** NodePools with a bar of their own: the dearest. */
const MOST_POOLS = 12;
const OTHERS = 'all others';
const COLORS: Readonly<Record<string, string>> = { 'spot': '#3d7dca', 'on-demand': '#d9822b', 'reserved': '#4a9c6d' };

/** What the nodes of each NodePool cost in an hour, by capacity type. */
export function costChart(nodeClaims: readonly NodeClaimVerdict[]): Markup {
  const costs = new Map<string, Map<string, number>>();
  for (const { nodePool, launch } of nodeClaims) {
    if (!launch) continue;
    const { capacityType, usdPerHour } = launch.cheapest;
    const own = costs.get(nodePool) ?? new Map<string, number>();
    costs.set(nodePool, own.set(capacityType, (own.get(capacityType) ?? 0) + usdPerHour));
  }
  if (costs.size === 0) return NOTHING;
  const bars = barsOf(costs);
  const types = [...new Set(bars.flatMap(({ byType }) => [...byType.keys()]))].sort();
  return chart('cost', `USD per hour of each NodePool: ${bars.map(({ name, total }) => `${name} ${formatUsd(total)}`).join(', ')}`, 72 + 30 * bars.length, {
    grid: { left: 24, right: 24, top: 28, bottom: 8, ...WITH_LABELS },
    legend: { ...LEGEND, formatter: '{name}, USD per hour' },
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
  const all = [...costs].map(([name, byType]): Bar => ({ name, byType, total: [...byType.values()].reduce((sum, usd) => sum + usd, 0) }))
    .sort((left, right) => right.total - left.total || (left.name < right.name ? -1 : 1));
  if (all.length <= MOST_POOLS) return all;
  const rest = all.slice(MOST_POOLS - 1);
  const byType = new Map<string, number>();
  for (const bar of rest) for (const [type, usd] of bar.byType) byType.set(type, (byType.get(type) ?? 0) + usd);
  return [...all.slice(0, MOST_POOLS - 1), { name: OTHERS, byType, total: rest.reduce((sum, { total }) => sum + total, 0) }];
}
