import { clock } from '../section';
import { chart, LEGEND, valueAxis, WITH_LABELS } from './chart';
import { Markup, NOTHING } from './markup';
import { ScenarioReport } from '../../../disruption';

type Course = ScenarioReport['course'];

/** Of a longer course so many stretches are told, each by the moment with the fewest ready pods in it. */
const MOST_POINTS = 400;
const DAY = 86_400;
/** Seconds. */
const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, DAY];
const MOST_LABELS = 8;
const READY = '#3d7dca';
const NODES = '#d9822b';

/** How many pods are ready and how many nodes there are, from the start to the end. */
export function courseChart(id: string, { course, seconds, scenario, subject }: ScenarioReport): Markup {
  if (course.length < 2) return NOTHING;
  const points = thinned(course, seconds);
  const last = points[points.length - 1];
  // So far that what comes last is seen.
  const end = Math.ceil(seconds * 1.04);
  const ends = [...points, { ...last, second: Math.max(end, last.second) }];
  const line = (name: string, color: string, yAxisIndex: number, valueOf: (entry: Course[number]) => number) => ({
    name,
    type: 'line',
    step: 'end',
    showSymbol: false,
    yAxisIndex,
    color,
    lineStyle: { width: 1.8 },
    data: ends.map((entry) => [entry.second, valueOf(entry)]),
  });
  const label = `${scenario}${subject === undefined ? '' : ` of ${subject}`}: at least ${Math.min(...course.map(({ readyPods }) => readyPods))} pods ready, `
    + `and at most ${Math.max(...course.map(({ nodes }) => nodes))} nodes`;
  return chart(id, label, 240, {
    grid: { left: 8, right: 24, top: 34, bottom: 8, ...WITH_LABELS },
    legend: LEGEND,
    xAxis: valueAxis({
      min: 0,
      max: ends[ends.length - 1].second,
      interval: stepOf(ends[ends.length - 1].second),
      splitLine: { show: false },
      axisLabel: { fontSize: 12, formatter: clock, hideOverlap: true, showMaxLabel: false },
    }),
    yAxis: [
      valueAxis({ min: 0, minInterval: 1 }),
      valueAxis({ min: 0, minInterval: 1, splitLine: { show: false } }),
    ],
    series: [
      line('pods ready (left)', READY, 0, ({ readyPods }) => readyPods),
      line('nodes (right)', NODES, 1, ({ nodes }) => nodes),
    ],
  });
}

/** Between two labels: a step that people count time in. */
function stepOf(seconds: number): number {
  return STEPS.find((step) => seconds / step <= MOST_LABELS) ?? DAY * Math.ceil(seconds / DAY / MOST_LABELS);
}

function thinned(course: Course, seconds: number): Course {
  if (course.length <= MOST_POINTS) return course;
  const kept = new Map<number, Course[number]>();
  for (const entry of course) {
    const stretch = Math.floor(MOST_POINTS * entry.second / Math.max(1, seconds));
    const known = kept.get(stretch);
    if (!known || entry.readyPods < known.readyPods) kept.set(stretch, entry);
  }
  // The end is what comes after all.
  return [...new Set([...kept.values(), course[course.length - 1]])];
}
