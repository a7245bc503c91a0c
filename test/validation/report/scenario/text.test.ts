import { ScenarioReport } from '../../../../src/disruption';
import { renderScenariosText } from '../../../../src/validation';

const SIZE = { nodes: 1, usdPerHour: 0.1 };
const QUIET: ScenarioReport = {
  scenario: 'drift',
  timeline: [],
  timeSeries: [],
  workloads: [],
  pending: [],
  unplaced: [],
  lost: [],
  stuck: [],
  drains: [],
  before: SIZE,
  after: SIZE,
  seconds: 0,
  unfinished: false,
};

/** The lines of a report, without title and assumptions. */
function linesOf(report: Partial<ScenarioReport>): string[] {
  const result = { start: '', reports: [{ ...QUIET, ...report }], assumptions: [], notEvaluated: [], workloads: [] };
  return renderScenariosText(result)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

const stuck = (what: string, why = 'no room') => ({ what, why, remedy: 'make room' });
const pods = (count: number) => Array.from({ length: count }, (_, at) => `shop/web-${at}`);

test('prints a stuck node', () => {
  expect(linesOf({ stuck: [stuck('node a')] })).toEqual(['node a is stuck: no room; make room']);
});

test('joins nodes, and pods, that are stuck for the same reason', () => {
  expect(linesOf({ stuck: [stuck('node a'), stuck('pod x'), stuck('node b', 'a budget'), stuck('node c')] })).toEqual([
    'nodes a and c are stuck: no room; make room',
    'pod x is stuck: no room; make room',
    'node b is stuck: a budget; make room',
  ]);
});

test.each<[number, string]>([
  [1, 'pod shop/web-0 stays pending'],
  [4, 'pods shop/web-0, shop/web-1, shop/web-2 and shop/web-3 stay pending'],
  [5, 'pods shop/web-0, shop/web-1, shop/web-2 and 2 more stay pending'],
])('names up to four of %d pending pods', (count, line) => {
  expect(linesOf({ pending: pods(count) })).toEqual([line]);
});

test('groups pending pods by reason', () => {
  const unplaced = [{ pods: ['shop/web-0', 'shop/web-1'], why: 'limits' }];
  expect(linesOf({ pending: pods(3), unplaced })).toEqual([
    'pods shop/web-0 and shop/web-1 stay pending: limits',
    'pod shop/web-2 stays pending',
  ]);
});

test('prints lost pods', () => {
  expect(linesOf({ lost: ['a/x'] })).toEqual(['pod a/x is lost: nothing recreates it']);
  expect(linesOf({ lost: ['a/x', 'a/y'] })).toEqual(['pods a/x and a/y are lost: nothing recreates them']);
});

const workload = (at: number, lowestReady: number, rest: Partial<ScenarioReport['workloads'][number]> = {}) => ({
  workload: `Deployment shop/web-${at}`,
  replicas: 10,
  lowestReady,
  evictions: 10 - lowestReady,
  ...rest,
});

describe('a report with many workloads', () => {
  test('prints the most affected first, and summarizes the others', () => {
    const workloads = [
      ...Array.from({ length: 100 }, (_, at) => workload(at, 10)),
      ...Array.from({ length: 22 }, (_, at) => workload(100 + at, 9, { secondsBelowBudget: at === 21 ? 0 : 5 })),
      workload(122, 0),
    ];
    const lines = linesOf({ workloads });
    expect(lines.slice(0, 2)).toEqual([
      'Deployment shop/web-122: at least 0 of 10 pods ready, 10 evictions',
      'Deployment shop/web-100: at least 9 of 10 pods ready, 1 eviction, below its PodDisruptionBudget for 5 s',
    ]);
    expect(lines.slice(20)).toEqual([
      'and 3 more workloads, each at least 90% ready, 2 of them temporarily below their PodDisruptionBudget (--format json lists all)',
      '100 other workloads lose no pod and stay ready',
    ]);
  });

  test('counts other workloads that temporarily have no ready pod', () => {
    const workloads = Array.from({ length: 30 }, (_, at) => workload(at, at < 25 ? 0 : 5));
    expect(linesOf({ workloads }).pop()).toBe(
      'and 10 more workloads, 5 of them temporarily without a ready pod (--format json lists all)',
    );
  });

  test('prints the workload of interest first', () => {
    const workloads = Array.from({ length: 30 }, (_, at) => workload(at, 5));
    const result = { reports: [{ ...QUIET, workloads }], assumptions: [], notEvaluated: [] };
    expect(renderScenariosText(result, { about: 'Deployment shop/web-29' }).split('\n')[1]).toContain(
      'web-29: at least 5 of 10 pods ready',
    );
  });

  test('keeps few workloads in name order', () => {
    expect(linesOf({ workloads: [workload(0, 10), workload(1, 0)] }).map((line) => line.slice(0, 21))).toEqual([
      'Deployment shop/web-0',
      'Deployment shop/web-1',
    ]);
  });
});

describe('many reports', () => {
  const reports = (count: number, of: (at: number) => Partial<ScenarioReport>) =>
    Array.from({ length: count }, (_, at) => ({ ...QUIET, subject: `node n-${at}`, ...of(at) }));
  const textOf = (all: ScenarioReport[]) => renderScenariosText({ reports: all, assumptions: [], notEvaluated: [] });

  test('counts the impacts of all, and prints the most severe first', () => {
    const text = textOf(
      reports(200, (at) =>
        at === 150
          ? { stuck: [stuck('node a')] }
          : at === 160
            ? { pending: pods(2) }
            : at >= 190
              ? { workloads: [workload(0, 0, { secondsBelowBudget: at })] }
              : { workloads: [workload(0, 5, { secondsBelowBudget: 1 })] },
      ),
    );
    expect(text.split('\n').slice(0, 5)).toEqual([
      'drift, 200 times: the 12 most severe (--format json lists all)',
      '  in 1 of them, pods stay pending or are lost',
      '  in 1 of them, a node or pod is stuck',
      '  in 10 of them, a workload temporarily has no ready pod',
      '  in 198 of them, a workload is temporarily below its PodDisruptionBudget',
    ]);
    expect(text.match(/^drift of node n-\d+/gm)).toEqual(
      [160, 150, 199, 198, 197, 196, 195, 194, 193, 192, 191, 190].map((at) => `drift of node n-${at}`),
    );
  });

  test('prints that no report is severe', () => {
    expect(textOf(reports(13, () => ({})))).toMatch(
      /^drift, 13 times: the 12 most severe \(--format json lists all\)\n {2}in none of them, a workload loses all ready pods or a pod stays pending\n\n/,
    );
  });

  test('prints few reports in their order, without counts', () => {
    expect(textOf(reports(12, (at) => (at === 11 ? { stuck: [stuck('node a')] } : {})))).toMatch(
      /^drift of node n-0: /,
    );
  });
});

const events = (count: number, what: (at: number) => string, second = (_: number) => 5) =>
  Array.from({ length: count }, (_, at) => ({ second: second(at), what: what(at) }));

test('cuts a long timeline', () => {
  expect(
    linesOf({
      timeline: events(
        41,
        (at) => `n-${at} drains`,
        (at) => at,
      ),
    }).pop(),
  ).toBe('and 1 more event (--format json lists all)');
});

test('joins equal events of one second', () => {
  const timeline = [
    ...events(100, (at) => `n-${Math.floor(at / 2)} ${at % 2 === 0 ? 'expires' : 'drains'}`),
    ...events(4, (at) => `EC2 will take s-${at} in two minutes`),
    ...events(4, (at) => `Deployment shop/web-${at} has no pod ready`),
    ...events(4, (at) => `n-new-${at} is launched (m5.large, ${at < 3 ? 'spot' : 'on-demand'}, us-east-1a)`),
    ...events(
      2,
      (at) => `n-new-${at} is up`,
      (at) => 65 + at,
    ),
  ];
  expect(linesOf({ timeline })).toEqual([
    '00:00:05  n-0 expires, and 49 more like it',
    '00:00:05  n-0 drains, and 49 more like it',
    '00:00:05  EC2 will take s-0 in two minutes, and 3 more like it',
    '00:00:05  Deployment shop/web-0 has no pod ready, and 3 more like it',
    ...[0, 1, 2].map((at) => `00:00:05  n-new-${at} is launched (m5.large, spot, us-east-1a)`),
    '00:00:05  n-new-3 is launched (m5.large, on-demand, us-east-1a)',
    '00:01:05  n-new-0 is up',
    '00:01:06  n-new-1 is up',
  ]);
});

describe('several scenarios', () => {
  const TIMED = { ...QUIET, timeSeries: [{ second: 0, nodes: 2, readyPods: 4 }], seconds: 60 };
  const report = (scenario: string, rest: Partial<ScenarioReport> = {}): ScenarioReport => ({
    ...TIMED,
    scenario,
    ...rest,
  });
  const textOf = (
    reports: readonly ScenarioReport[],
    notSimulated: ReadonlyArray<{ scenario: string; why: string }> = [],
  ) => renderScenariosText({ reports, assumptions: [], notEvaluated: [], notSimulated });
  const row = (...reports: ScenarioReport[]) => textOf(reports).split('\n')[1];
  const outcome = (...rest: Array<Partial<ScenarioReport>>) =>
    row(...rest.map((part) => report('drift', part)))
      .split(/ {2,}/)
      .pop();

  test('are summarized in a table with skipped ones, then printed one by one', () => {
    const after = { nodes: 12, usdPerHour: 1.2 };
    const reports = [
      report('drift'),
      report('zone-outage', { subject: 'a', after }),
      report('zone-outage', { subject: 'b' }),
    ];
    expect(textOf(reports, [{ scenario: 'peak', why: 'none grows' }])).toBe(
      [
        'Scenario                Nodes        $/h                        Duration  Impact',
        '  drift                 1            0.1000                     1 min     all pods stay ready',
        '  zone-outage, 2 times  1 → 1 to 12  0.1000 → 0.1000 to 1.2000  1 min     all pods stay ready',
        '  peak                  nothing to simulate: none grows',
        '',
        'drift: 1 node, done after 1 min',
        '',
        'zone-outage of a: 1 → 12 nodes, $0.1000/h → $1.20/h, done after 1 min',
        '',
        'zone-outage of b: 1 node, done after 1 min',
        '',
      ].join('\n'),
    );
  });

  test('limits the reports of each scenario separately', () => {
    const of = (scenario: string, length: number) => Array.from({ length }, () => report(scenario));
    const reports = [...of('node-repair', 12), ...of('spot-interruption', 13)];
    expect(textOf(reports)).not.toContain('node-repair, 12 times: the 12 most severe');
    expect(textOf(reports)).toContain('spot-interruption, 13 times: the 12 most severe');
  });

  test('prints only the table if all scenarios are skipped', () => {
    expect(textOf([], [{ scenario: 'job-end', why: 'no Job' }])).toBe(
      'Scenario   Nodes  $/h  Duration  Impact\n  job-end  nothing to simulate: no Job\n',
    );
  });

  test.each<[string, Array<Partial<ScenarioReport>>]>([
    [
      '1 pod stays pending; 1 node is stuck; all pods stay ready',
      [{ pending: pods(1), stuck: [stuck('node a'), stuck('pod shop/web-0')] }],
    ],
    ['2 pods are lost; all pods stay ready', [{ lost: pods(2) }]],
    ['1 node is stuck each time; all pods stay ready', [{ stuck: [stuck('node a')] }, { stuck: [stuck('node b')] }]],
    ['up to 2 pods stay pending; all pods stay ready', [{ pending: pods(2) }, {}]],
    [
      'Deployment shop/web-1 drops to 2 of 10 ready pods',
      [{ workloads: [workload(0, 3)] }, { workloads: [workload(1, 2), workload(2, 10)] }],
    ],
    [
      'Deployment shop/web-0 temporarily has no ready pod',
      [{ workloads: [workload(0, 0)] }, { workloads: [workload(0, 0)] }],
    ],
    [
      '2 workloads temporarily have no ready pod; Deployment shop/web-2 is temporarily below its PodDisruptionBudget',
      [
        {
          workloads: [
            workload(0, 0),
            workload(1, 0),
            workload(2, 5, { secondsBelowBudget: 3 }),
            workload(3, 10, { secondsBelowBudget: 0 }),
          ],
        },
      ],
    ],
    ['all pods stay ready', [{ workloads: [workload(0, 0, { replicas: 0 })] }]],
    ['all pods have a node', [{ timeSeries: [], workloads: [workload(0, 2)] }]],
  ])('print the most severe impact first: %s', (expected, reports) => {
    expect(outcome(...reports)).toBe(expected);
  });

  test('print that an unfinished simulation takes longer', () => {
    expect(row(report('drift', { unfinished: true }))).toContain('  over 1 min  ');
  });

  test('print no duration for peak', () => {
    expect(row(report('peak', { timeSeries: [], seconds: 0 }))).toMatch(/^ {2}peak +1 +0\.1000 +all pods have a node$/);
  });

  test('escape control characters', () => {
    expect(
      textOf([report('drift', { subject: 'a\u001b[2J' })], [{ scenario: 'peak', why: '\u001b[2J' }]),
    ).not.toContain('\u001b');
  });
});
