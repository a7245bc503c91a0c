import { readUsage } from '../../../../src/validation/recommend/usage/read-usage';

const read = (value: unknown) => readUsage([{ path: 'usage.json', text: JSON.stringify(value) }]);
const LABELS = { namespace: 'shop', pod: 'web-0', container: 'main', resource: 'cpu' };
const vector = (metric: object, value: string) =>
  read({ status: 'success', data: { resultType: 'vector', result: [{ metric, value: [1, value] }] } });
const matrix = (metric: object, values: ReadonlyArray<readonly [number, string]>) =>
  read({ status: 'success', data: { resultType: 'matrix', result: [{ metric, values }] } });
const messages = ({ notes }: ReturnType<typeof read>) => notes.map(({ message }) => message);
const MIB = 2 ** 20;

const krr = (requests: object, kind = 'Deployment') =>
  read({
    scans: [
      {
        object: { cluster: null, name: 'web', container: 'main', namespace: 'shop', kind, allocations: {} },
        recommended: { requests, limits: {}, info: {} },
        severity: 'OK',
      },
    ],
    score: 80,
  });

describe('KRR', () => {
  test('reads recommended requests as CPUs and bytes', () => {
    const { figures } = krr({
      cpu: { value: 0.07, severity: 'OK' },
      memory: { value: 104857600.0, severity: 'WARNING' },
    });
    expect(figures.map(({ resource, amount, at }) => [resource, amount, at])).toEqual([
      ['cpu', 70, 'usage.json: scans[0]'],
      ['memory', 104857600, 'usage.json: scans[0]'],
    ]);
  });

  test('notes unknown recommendations', () => {
    const usage = krr({ cpu: { value: '?', severity: 'UNKNOWN' }, memory: { value: null, severity: 'UNKNOWN' } });
    expect(messages(usage)).toEqual([
      'KRR has no recommendation for cpu: the request stays',
      'KRR has no recommendation for memory: the request stays',
    ]);
  });

  test('notes what KRR reports about its history', () => {
    const usage = read({ scans: [], errors: [{ name: 'NotEnoughHistoryAvailable', retry_after: '2026-01-01' }] });
    expect(messages(usage)).toContain(
      'KRR reports NotEnoughHistoryAvailable, so that its figures may be of a short time',
    );
  });

  test('notes a group of Jobs', () => {
    expect(messages(krr({}, 'GroupedJob'))).toEqual(['a GroupedJob of KRR stands for several Jobs: not used']);
  });
});

describe('places', () => {
  const scan = (name: string) => ({ object: { name, kind: 'Deployment', namespace: 'shop', container: 'main' } });
  const scans = { scans: [scan('web'), { ...scan('api'), tags: ['a', 'b'] }], errors: [] };
  const placesIn = (text: string) => readUsage([{ path: 'usage.json', text }]).notes.flatMap(({ places }) => places);

  test('are lines if each item has its own', () => {
    expect(placesIn(JSON.stringify(scans, null, 2))).toEqual(['usage.json:3', 'usage.json:11']);
  });

  test('are items if the file has one line', () => {
    expect(placesIn(`${JSON.stringify(scans)}\n`)).toEqual(['usage.json: scans[0]', 'usage.json: scans[1]']);
  });

  test('are lines of a list of series', () => {
    const series = [{ metric: {} }, { metric: { result: '[' } }];
    const result = { status: 'success', data: { resultType: 'vector', result: series } };
    expect(placesIn(JSON.stringify(series, null, 1))).toEqual(['usage.json:2', 'usage.json:5']);
    expect(placesIn(JSON.stringify(result, null, 1))).toEqual(['usage.json:6', 'usage.json:9']);
  });

  test.each([
    ['a value that is no JSON', '{\n "scans": [\n  NaN]}', 3],
    ['a file that is cut', '{\n "scans": [\n  "a\\"b', 3],
    ['a bracket that is missing', '[\n 1, 2\n', 3],
  ])('are the line of %s', (_, text, line) => {
    expect(readUsage([{ path: 'usage.json', text }]).notes).toEqual([
      { message: 'not valid JSON: not used', places: [`usage.json:${line}`] },
    ]);
  });
});

describe('Prometheus', () => {
  test('notes warnings, which say that series are missing', () => {
    const usage = read({
      status: 'success',
      warnings: ['store "a" timed out'],
      data: { resultType: 'vector', result: [{ metric: LABELS, value: [1, '0.1'] }] },
    });
    expect(usage.figures).toHaveLength(1);
    expect(messages(usage)).toEqual([expect.stringContaining('store "a" timed out')]);
  });

  test('reads the values of an instant query', () => {
    expect(vector(LABELS, '0.2501').figures).toMatchObject([{ pod: 'web-0', amount: 251, source: 'measured' }]);
  });

  test('reads a workload with its type', () => {
    const { figures } = vector({ ...LABELS, pod: undefined, workload: 'web', workload_type: 'deployment' }, '1');
    expect(figures).toMatchObject([{ workload: { kind: 'deployment', name: 'web' } }]);
  });

  test('takes the 95th percentile of CPU', () => {
    const values = Array.from({ length: 100 }, (_, index): [number, string] => [index * 60, String(index + 1)]);
    expect(matrix(LABELS, values).figures).toMatchObject([{ amount: 95_000 }]);
  });

  test('takes the peak of memory, with the 99th percentile', () => {
    const values = Array.from({ length: 200 }, (_, i): [number, string] => [i * 60, String((i + 1) * MIB)]);
    const { figures } = matrix({ ...LABELS, resource: 'memory' }, values);
    expect(figures).toMatchObject([{ amount: 200 * MIB, peak: 200 * MIB, p99: 198 * MIB }]);
  });

  test('notes gaps, and uses the other samples', () => {
    const usage = matrix(LABELS, [
      [0, '0.1'],
      [60, '0.1'],
      [120, 'NaN'],
      [540, '0.3'],
    ]);
    expect(usage.figures).toMatchObject([{ amount: 300 }]);
    expect(messages(usage)).toEqual(['the series has gaps: samples for 30% of its time, which are used']);
  });

  test.each([
    ['an empty result', { status: 'success', data: { resultType: 'vector', result: [] } }, 'the result is empty'],
    ['a failed query', { status: 'error', error: 'timeout' }, 'the query failed: timeout'],
    ['a scalar', { status: 'success', data: { resultType: 'scalar', result: [1, '2'] } }, 'no vector or matrix'],
    ['other JSON', { hello: 1 }, 'not a Kubernetes object'],
  ])('notes %s', (_, value, message) => {
    const usage = read(value);
    expect(usage.figures).toEqual([]);
    expect(messages(usage)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['a negative sample', LABELS, '-0.1', 'negative'],
    ['a sample that is no number', LABELS, 'NaN', 'no sample with a number'],
    ['more CPUs than exist', LABELS, '250000', 'above 2,000 CPUs'],
    ['memory in MiB', { ...LABELS, resource: 'memory' }, '512', 'below 1 MiB'],
    ['a unit', { ...LABELS, resource: 'memory', unit: 'MiB' }, '512', 'the unit of memory is MiB; query bytes'],
    ['a series without a resource', { ...LABELS, resource: undefined }, '1', 'do not state the resource'],
    [
      'a total of seconds',
      { ...LABELS, resource: undefined, __name__: 'container_cpu_usage_seconds_total' },
      '9',
      'query its rate',
    ],
    ['a series without a container', { ...LABELS, container: '' }, '1', 'no labels namespace, container'],
  ])('does not use %s', (_, metric, value, message) => {
    const usage = vector(metric, value);
    expect(usage.figures).toEqual([]);
    expect(messages(usage)).toEqual([expect.stringContaining(message)]);
  });
});

describe('VerticalPodAutoscaler', () => {
  const readYaml = (status: string) =>
    readUsage([
      {
        path: 'vpa.yaml',
        text: `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: web, namespace: shop }
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
${status}`,
      },
    ]);

  test('notes one without a recommendation yet', () => {
    expect(readYaml('status: {}\n').notes).toEqual([
      { message: 'the VerticalPodAutoscaler has no recommendation yet: not used', places: ['vpa.yaml:5'] },
    ]);
  });

  test('notes a target that is no quantity with its line, and uses the other one', () => {
    const usage = readYaml(`status:
  recommendation:
    containerRecommendations:
      - containerName: main
        target:
          cpu: much
          memory: 1Gi
`);
    expect(usage.figures).toMatchObject([{ resource: 'memory', amount: 2 ** 30 }]);
    expect(usage.notes).toEqual([{ message: 'the target is no quantity: not used', places: ['vpa.yaml:10'] }]);
  });
});
