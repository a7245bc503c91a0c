import { chart, LEGEND, valueAxis, WITH_LABELS } from './chart';
import { Markup, NOTHING } from './markup';
import { ScenarioReport } from '../../../disruption';
import { clockText } from '../../../model';

export type TimeSeries = ScenarioReport['timeSeries'];

/** A longer time series is thinned to so many intervals. Each keeps the point with the fewest ready pods. */
const MAX_POINTS = 400;
const DAY = 86_400;
/** Distances between axis labels, in seconds. */
const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, DAY];
const MAX_LABELS = 8;
const READY = '#3d7dca';
const NODES = '#d9822b';

/** The numbers of ready pods and of nodes over time. */
export function timeSeriesChart(id: string, { timeSeries, seconds, scenario, subject }: ScenarioReport): Markup {
  if (timeSeries.length < 2) return NOTHING;
  const points = thinned(timeSeries, seconds);
  const last = points[points.length - 1];
  // Extends the axis so that the last change is visible.
  const end = Math.ceil(seconds * 1.04);
  const ends = [...points, { ...last, second: Math.max(end, last.second) }];
  const line = (name: string, color: string, yAxisIndex: number, valueOf: (entry: TimeSeries[number]) => number) => ({
    name,
    type: 'line',
    step: 'end',
    showSymbol: false,
    yAxisIndex,
    color,
    lineStyle: { width: 1.8 },
    data: ends.map((entry) => [entry.second, valueOf(entry)]),
  });
  const label =
    `${scenario}${subject === undefined ? '' : ` of ${subject}`}: at least ${Math.min(...timeSeries.map(({ readyPods }) => readyPods))} pods ready, ` +
    `and at most ${Math.max(...timeSeries.map(({ nodes }) => nodes))} nodes`;
  return chart(id, label, 240, {
    grid: { left: 8, right: 24, top: 34, bottom: 8, ...WITH_LABELS },
    legend: LEGEND,
    xAxis: valueAxis({
      min: 0,
      max: ends[ends.length - 1].second,
      interval: stepOf(ends[ends.length - 1].second),
      splitLine: { show: false },
      axisLabel: { fontSize: 12, formatter: clockText, hideOverlap: true, showMaxLabel: false },
    }),
    yAxis: [valueAxis({ min: 0, minInterval: 1 }), valueAxis({ min: 0, minInterval: 1, splitLine: { show: false } })],
    series: [
      line('pods ready (left)', READY, 0, ({ readyPods }) => readyPods),
      line('nodes (right)', NODES, 1, ({ nodes }) => nodes),
    ],
  });
}

/** The distance between two labels: a usual unit of time. */
function stepOf(seconds: number): number {
  return STEPS.find((step) => seconds / step <= MAX_LABELS) ?? DAY * Math.ceil(seconds / DAY / MAX_LABELS);
}

/** A time series with at most `MAX_POINTS` points and its last. */
export function thinned(timeSeries: TimeSeries, seconds: number): TimeSeries {
  if (timeSeries.length <= MAX_POINTS) return timeSeries;
  const kept = new Map<number, TimeSeries[number]>();
  for (const entry of timeSeries) {
    const interval = Math.floor((MAX_POINTS * entry.second) / Math.max(1, seconds));
    const lowest = kept.get(interval);
    if (!lowest || entry.readyPods < lowest.readyPods) kept.set(interval, entry);
  }
  // The last point is always kept.
  return [...new Set([...kept.values(), timeSeries[timeSeries.length - 1]])];
}
