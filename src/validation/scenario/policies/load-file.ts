import { DAY } from './day-curve';
import { asRecord } from '../../../contract';
import { ReplicaChange } from '../../../disruption';
import { PlainRecord } from '../../manifest/records';

/** A shorter load says nothing about a day. */
const SHORTEST = 3_600;
/** Prometheus itself returns at most 11,000 points of a series. */
const MAX_POINTS = 1_000_000;
const MAX_REPLICAS = 100_000;

/** Labels of kube-state-metrics that name a workload, and its kind. */
const WORKLOAD_LABELS: ReadonlyArray<readonly [label: string, kind: string]> = [
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['horizontalpodautoscaler', 'HorizontalPodAutoscaler'],
];

/** The replicas of one workload over time. */
export interface LoadSeries {
  /** `data.result[0]` */
  readonly place: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly changes: readonly ReplicaChange[];
}

/** The load of a day, or a part of one. */
export interface Load {
  /** Milliseconds since 1970: the first time that is simulated. */
  readonly start: number;
  readonly seconds: number;
  readonly series: readonly LoadSeries[];
  /** Whether the file has more than the day that is simulated, which is its last one. */
  readonly isCut: boolean;
}

/** A load file that cannot be used. Its message begins with the place. */
export class LoadFileError extends Error {}

/**
 * Reads the answer of Prometheus to `query_range`.
 *
 * @throws LoadFileError if the text is no such answer, or its values are no replicas
 * @see https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries
 */
export function readLoad(text: string): Load {
  const samples = resultsOf(text).map((result, index) => readSeries(result, `data.result[${index}]`));
  const duplicate = samples.find((series, index) => samples.findIndex((other) => isSame(series, other)) < index);
  if (duplicate) {
    const first = samples.find((other) => isSame(duplicate, other))!;
    fail(
      duplicate.place,
      `is a second series of ${duplicate.kind} ${duplicate.namespace}/${duplicate.name}, after ${first.place}; add them up in the query, for example with max by (namespace, deployment) (…)`,
    );
  }
  const instants = samples.flatMap(({ points }) => points.map(({ at }) => at));
  const last = instants.reduce((most, at) => Math.max(most, at), -Infinity);
  const first = instants.reduce((least, at) => Math.min(least, at), Infinity);
  if (last - first < SHORTEST)
    fail('data.result', `covers ${Math.round((last - first) / 60)} minutes; query at least an hour, better a day`);
  const start = Math.max(first, last - DAY);
  return {
    start: Math.round(start) * 1_000,
    seconds: Math.round(last - start),
    series: samples.map(({ points, ...series }) => ({ ...series, changes: changesFrom(points, start, last) })),
    isCut: first < start,
  };
}

interface Samples extends Omit<LoadSeries, 'changes'> {
  readonly points: ReadonlyArray<{ readonly at: number; readonly replicas: number }>;
}

function resultsOf(text: string): readonly unknown[] {
  const answer = parsed(text);
  if (answer.status === 'error') throw new LoadFileError(`Prometheus refused the query: ${shortText(answer.error)}`);
  const { resultType, result } = asRecord(answer.data) ?? {};
  if (!Array.isArray(result)) fail('data.result', 'is missing; save the answer of /api/v1/query_range');
  if (resultType !== 'matrix')
    fail('data.resultType', `is ${shortText(resultType)}, not "matrix"; query a range with /api/v1/query_range`);
  if (result.length === 0)
    fail('data.result', 'is empty: no series matches the query; check its metric, labels and time range');
  return result;
}

function parsed(text: string): PlainRecord {
  try {
    const answer = asRecord(JSON.parse(text));
    if (answer) return answer;
  } catch (error) {
    fail('the file', `is no JSON (${(error as Error).message}); save the answer of /api/v1/query_range`);
  }
  return fail('the file', 'is no JSON object; save the answer of /api/v1/query_range');
}

function readSeries(result: unknown, place: string): Samples {
  const { metric, values } = asRecord(result) ?? {};
  const labels = asRecord(metric) ?? {};
  const [label, kind] = WORKLOAD_LABELS.find(([name]) => typeof labels[name] === 'string') ?? [];
  if (label === undefined)
    fail(
      `${place}.metric`,
      `has no label deployment, statefulset or horizontalpodautoscaler, but ${shortText(labels)}; query for example kube_deployment_spec_replicas`,
    );
  if (typeof labels.namespace !== 'string')
    fail(`${place}.metric`, 'has no label namespace; keep it in the query: by (namespace, deployment)');
  if (!Array.isArray(values) || values.length === 0) fail(`${place}.values`, 'is empty');
  if (values.length > MAX_POINTS) fail(`${place}.values`, `has ${values.length} points; query with a longer step`);
  const points = values.map((value: unknown, index) => readPoint(value, `${place}.values[${index}]`));
  const unordered = points.findIndex(({ at }, index) => index > 0 && at <= points[index - 1].at);
  if (unordered > 0) fail(`${place}.values[${unordered}]`, 'is not later than the value before it');
  return { place, kind: kind!, namespace: labels.namespace as string, name: String(labels[label!]), points };
}

function readPoint(value: unknown, place: string): Samples['points'][number] {
  const [at, text] = Array.isArray(value) ? value : [];
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0) fail(place, 'has no time in seconds since 1970');
  const replicas = typeof text === 'string' && /^\d+(\.0+)?$/.test(text) ? Number(text) : NaN;
  if (!(replicas <= MAX_REPLICAS))
    fail(
      place,
      `is ${shortText(text)}, which is no count of replicas; query replicas, not a rate, a share or an amount of CPU or memory`,
    );
  return { at, replicas };
}

/** @param start the last value before it counts from it on; without one, the first value does */
function changesFrom(points: Samples['points'], start: number, end: number): ReplicaChange[] {
  const before = points.filter(({ at }) => at <= start).pop() ?? points[0];
  const changes: ReplicaChange[] = [{ second: 0, replicas: before.replicas }];
  for (const { at, replicas } of points) {
    if (at > start && at < end && changes[changes.length - 1].replicas !== replicas)
      changes.push({ second: Math.round(at - start), replicas });
  }
  return changes;
}

function isSame(left: Samples, right: Samples): boolean {
  return left.kind === right.kind && left.namespace === right.namespace && left.name === right.name;
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function fail(place: string, why: string): never {
  throw new LoadFileError(`${place} ${why}`);
}
