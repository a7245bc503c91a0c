import { UsageAmount, UsageLog, UsageResource } from './figures';
import { JsonPlaces } from './json-places';
import { millicores } from './krr';
import { asRecord } from '../../../contract';
import { percentText, valueText } from '../../../model';

const UNITS: Readonly<Record<UsageResource, readonly string[]>> = {
  cpu: ['core', 'cores'],
  memory: ['byte', 'bytes'],
};
/** Names of metrics that queries keep, for results without the label `resource`. */
const MEMORY_METRICS = ['container_memory_working_set_bytes', 'container_memory_rss'];
const CPU_SECONDS = 'container_cpu_usage_seconds_total';
const CPU_PERCENTILE = 0.95;
const MEMORY_PERCENTILE = 0.99;
/** A series with fewer samples than this part of its time is said to have gaps. */
const FEW_SAMPLES = 0.9;

interface Series {
  readonly namespace: string;
  readonly workload?: { readonly kind?: string; readonly name: string };
  readonly pod?: string;
  readonly container: string;
  readonly resource: UsageResource;
}

/**
 * The answer of Prometheus to `query` or `query_range`. Samples are cores of CPU and bytes of memory.
 *
 * @see https://prometheus.io/docs/prometheus/latest/querying/api/#expression-query-result-formats
 */
export function readPrometheus(
  file: string,
  answer: Readonly<Record<string, unknown>>,
  places: JsonPlaces,
  log: UsageLog,
): void {
  if (answer.status !== 'success') {
    const reason = typeof answer.error === 'string' ? `: ${valueText(answer.error)}` : '';
    log.note(`the query failed${reason}`, file);
    return;
  }
  for (const warning of Array.isArray(answer.warnings) ? answer.warnings : [])
    log.note(`Prometheus warns, so that series may be missing: ${valueText(warning)}`, file);
  const { result, resultType } = asRecord(answer.data) ?? {};
  if (!Array.isArray(result) || resultType === 'scalar' || resultType === 'string') {
    log.note('the answer of Prometheus is no vector or matrix: not used', file);
    return;
  }
  if (result.length === 0) log.note('the result is empty: the query matches nothing', file);
  result.forEach((item, index) => readResult(item, places.of(index), log));
}

function readResult(item: unknown, at: string, log: UsageLog): void {
  const { metric, value, values } = asRecord(item) ?? {};
  const series = seriesOf(asRecord(metric) ?? {});
  if (typeof series === 'string') {
    log.note(`${series}: not used`, at);
    return;
  }
  const samples = samplesOf(Array.isArray(values) ? values : [value]);
  const amounts = samples.map((sample) => sample.amount).filter((amount) => !Number.isNaN(amount));
  if (amounts.length === 0) {
    log.note('the series has no sample with a number: not used', at);
    return;
  }
  if (amounts.some((amount) => amount < 0)) {
    log.note('the series has a negative sample: not used', at);
    return;
  }
  const known = knownShare(samples);
  if (known < FEW_SAMPLES)
    log.note(`the series has gaps: samples for ${percentText(known)} of its time, which are used`, at);
  log.add({ ...series, ...statisticsOf(series.resource, amounts), source: 'measured', at });
}

function statisticsOf(
  resource: UsageResource,
  amounts: readonly number[],
): { readonly amount: UsageAmount; readonly peak?: UsageAmount; readonly p99?: UsageAmount } {
  const sorted = [...amounts].sort((left, right) => left - right);
  if (resource === 'cpu') return { amount: millicores(percentile(sorted, CPU_PERCENTILE)) };
  const peak = sorted[sorted.length - 1];
  return { amount: peak, ...(sorted.length > 1 ? { peak, p99: percentile(sorted, MEMORY_PERCENTILE) } : {}) };
}

/** The smallest amount that the given part of the amounts is at most (nearest rank). */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(Number((part * sorted.length).toFixed(6))) - 1)];
}

/** The container and resource of a series, or why the labels do not state them. */
function seriesOf(metric: Readonly<Record<string, unknown>>): Series | string {
  const label = (...names: readonly string[]) =>
    names.map((name) => metric[name]).find((text): text is string => typeof text === 'string' && text !== '');
  const resource = resourceOf(label('__name__'), label('resource'));
  if (resource === undefined && label('__name__') === CPU_SECONDS)
    return `${CPU_SECONDS} is a total of seconds, not a usage; query its rate`;
  if (resource === undefined) return 'the labels do not state the resource; add resource="cpu" or resource="memory"';
  const unit = label('unit');
  if (unit !== undefined && !UNITS[resource].includes(unit))
    return `the unit of ${resource} is ${valueText(unit)}; query ${resource === 'cpu' ? 'cores' : 'bytes'}`;
  const namespace = label('namespace');
  const container = label('container', 'container_name');
  const [pod, workload] = [label('pod', 'pod_name'), label('workload')];
  if (namespace === undefined || container === undefined || (pod ?? workload) === undefined)
    return 'the series has no labels namespace, container, and pod or workload';
  if (container === 'POD') return 'the series is of the pause container';
  return {
    namespace,
    container,
    resource,
    ...(workload === undefined ? { pod } : { workload: { kind: label('workload_type'), name: workload } }),
  };
}

function resourceOf(name = '', resource = ''): UsageResource | undefined {
  if (resource === 'cpu' || resource === 'memory') return resource;
  return MEMORY_METRICS.includes(name) ? 'memory' : undefined;
}

interface Sample {
  readonly time: number;
  /** NaN if the sample is none. */
  readonly amount: number;
}

function samplesOf(values: readonly unknown[]): Sample[] {
  return values.map((value) => {
    const [time, text] = Array.isArray(value) ? value : [];
    return { time: Number(time), amount: typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN };
  });
}

/** The part of the steps between the first and the last sample that have a number. The step is the shortest one. */
function knownShare(samples: readonly Sample[]): number {
  if (samples.length < 3) return 1;
  const steps = samples.slice(1).map(({ time }, index) => time - samples[index].time);
  const step = steps.reduce((least, length) => (length > 0 && length < least ? length : least), Infinity);
  const expected = (samples[samples.length - 1].time - samples[0].time) / step + 1;
  return Number.isFinite(expected) ? samples.filter(({ amount }) => !Number.isNaN(amount)).length / expected : 1;
}
