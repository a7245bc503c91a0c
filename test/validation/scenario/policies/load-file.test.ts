import { LoadFileError, readLoad } from '../../../../src/validation/scenario/policies/load-file';

const metric = (more: Record<string, string> = {}) => ({ namespace: 'shop', deployment: 'web', ...more });
const file = (result: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result }, ...more });
const series = (values: unknown, more: Record<string, string> = {}) => ({ metric: metric(more), values });
const HOURS = 3_600;

describe('readLoad', () => {
  test('returns changes of replicas in seconds since the first time', () => {
    const load = readLoad(
      file([
        series([
          [1_000, '2'],
          [1_000 + HOURS, '2'],
          [1_000 + 2 * HOURS, '5'],
          [1_000 + 3 * HOURS, '5'],
        ]),
      ]),
    );
    expect(load).toEqual({
      start: 1_000_000,
      seconds: 3 * HOURS,
      isCut: false,
      series: [
        {
          place: 'data.result[0]',
          kind: 'Deployment',
          namespace: 'shop',
          name: 'web',
          changes: [
            { second: 0, replicas: 2 },
            { second: 2 * HOURS, replicas: 5 },
          ],
        },
      ],
    });
  });

  test('takes the last day of a longer load, with the replicas from before it', () => {
    const load = readLoad(
      file([
        series([
          [0, '1'],
          [20 * HOURS, '4'],
          [30 * HOURS, '6'],
          [50 * HOURS, '6'],
        ]),
      ]),
    );
    expect(load).toMatchObject({ start: 26 * HOURS * 1_000, seconds: 24 * HOURS, isCut: true });
    expect(load.series[0].changes).toEqual([
      { second: 0, replicas: 4 },
      { second: 4 * HOURS, replicas: 6 },
    ]);
  });

  const good = [
    [0, '1'],
    [2 * HOURS, '1'],
  ];
  test.each<[string, string, string]>([
    ['no JSON', 'replicas: 3', 'the file is no JSON'],
    ['a list', '[]', 'the file is no JSON object'],
    [
      'an error of Prometheus',
      '{"status":"error","error":"parse error"}',
      'Prometheus refused the query: "parse error"',
    ],
    [
      'an instant query',
      file([], { data: { resultType: 'vector', result: [] } }),
      'data.resultType is "vector", not "matrix"',
    ],
    ['no series', file([]), 'data.result is empty: no series matches the query'],
    [
      'a series without a workload',
      file([{ metric: { pod: 'web-1' }, values: good }]),
      'data.result[0].metric has no label deployment',
    ],
    [
      'a series without a namespace',
      file([{ metric: { deployment: 'web' }, values: good }]),
      'data.result[0].metric has no label namespace',
    ],
    ['a series without values', file([series([])]), 'data.result[0].values is empty'],
    [
      'a second series of a workload',
      file([series(good), series(good, { pod: 'x' })]),
      'data.result[1] is a second series of Deployment shop/web, after data.result[0]',
    ],
    [
      'CPUs',
      file([
        series([
          [0, '1'],
          [HOURS, '0.35'],
        ]),
      ]),
      'data.result[0].values[1] is "0.35", which is no count of replicas',
    ],
    ['no number', file([series([[0, 'NaN']])]), 'data.result[0].values[0] is "NaN"'],
    ['bytes', file([series([[0, '1073741824']])]), 'data.result[0].values[0] is "1073741824"'],
    [
      'times in the wrong order',
      file([
        series([
          [HOURS, '1'],
          [0, '1'],
        ]),
      ]),
      'data.result[0].values[1] is not later',
    ],
    ['a value without a time', file([series(['3'])]), 'data.result[0].values[0] has no time'],
    [
      'ten minutes',
      file([
        series([
          [0, '1'],
          [600, '1'],
        ]),
      ]),
      'data.result covers 10 minutes; query at least an hour',
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => readLoad(text)).toThrow(LoadFileError);
    expect(() => readLoad(text)).toThrow(message);
  });
});
