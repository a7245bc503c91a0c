import { ScenarioReport } from '../../../src/disruption';
import { renderScenariosText } from '../../../src/validation';

const SIZE = { nodes: 1, usdPerHour: 0.1 };
const QUIET: ScenarioReport = {
  scenario: 'drift', timeline: [], course: [], workloads: [], pending: [], unplaced: [], lost: [], stuck: [], drains: [], before: SIZE, after: SIZE, seconds: 0, unfinished: false,
};

/** Without the title, and what is taken for granted. */
function linesOf(report: Partial<ScenarioReport>): string[] {
  const played = { start: '', reports: [{ ...QUIET, ...report }], assumptions: [], notEvaluated: [], workloads: [] };
  return renderScenariosText(played).trim().split('\n').slice(1).map((line) => line.trim());
}

const stuck = (what: string, why = 'no room') => ({ what, why, remedy: 'make room' });
const pods = (count: number) => Array.from({ length: count }, (_, at) => `shop/web-${at}`);

test('names one that is stuck', () => {
  expect(linesOf({ stuck: [stuck('node a')] })).toEqual(['node a is stuck: no room; make room']);
});

test('says once what is the same for several, of nodes and of pods by themselves', () => {
  expect(linesOf({ stuck: [stuck('node a'), stuck('pod x'), stuck('node b', 'a budget'), stuck('node c')] }))
    .toEqual(['nodes a and c are stuck: no room; make room', 'pod x is stuck: no room; make room', 'node b is stuck: a budget; make room']);
});

test.each<[number, string]>([
  [1, 'pod shop/web-0 has no node in the end'],
  [4, 'pods shop/web-0, shop/web-1, shop/web-2 and shop/web-3 have no node in the end'],
  [5, 'pods shop/web-0, shop/web-1, shop/web-2 and 2 more have no node in the end'],
])('names few of %d pods without a node', (count, line) => {
  expect(linesOf({ pending: pods(count) })).toEqual([line]);
});

test('says why pods have no node, of each reason by itself', () => {
  const unplaced = [{ pods: ['shop/web-0', 'shop/web-1'], why: 'limits' }];
  expect(linesOf({ pending: pods(3), unplaced }))
    .toEqual(['pods shop/web-0 and shop/web-1 have no node in the end: limits', 'pod shop/web-2 has no node in the end']);
});

test('says of pods that are lost that nothing makes them again', () => {
  expect(linesOf({ lost: ['a/x'] })).toEqual(['pod a/x is lost: nothing makes it again']);
  expect(linesOf({ lost: ['a/x', 'a/y'] })).toEqual(['pods a/x and a/y are lost: nothing makes them again']);
});

const story = (at: number, lowestReady: number, rest: Partial<ScenarioReport['workloads'][number]> = {}) =>
  ({ workload: `Deployment shop/web-${at}`, replicas: 10, lowestReady, evictions: 10 - lowestReady, ...rest });

describe('of more workloads than anybody reads', () => {
  test('tells those that fare worst first, bounds the others, and counts those of which no pod goes', () => {
    const workloads = [
      ...Array.from({ length: 100 }, (_, at) => story(at, 10)),
      ...Array.from({ length: 22 }, (_, at) => story(100 + at, 9, { secondsBelowBudget: at === 21 ? 0 : 5 })),
      story(122, 0),
    ];
    const lines = linesOf({ workloads });
    expect(lines.slice(0, 2)).toEqual([
      'Deployment shop/web-122: at least 0 of 10 ready, 10 evictions',
      'Deployment shop/web-100: at least 9 of 10 ready, 1 eviction, 00:00:05 below its PodDisruptionBudget',
    ]);
    expect(lines.slice(20)).toEqual([
      'and 3 workloads more, of each at least 90% ready, 2 of them below their PodDisruptionBudget for a while: --format json lists them all',
      'of 100 other workloads no pod has to go, and all stay ready',
    ]);
  });

  test('counts the others that have no ready pod for a while', () => {
    const workloads = Array.from({ length: 30 }, (_, at) => story(at, at < 25 ? 0 : 5));
    expect(linesOf({ workloads }).pop()).toBe('and 10 workloads more, 5 of them without a ready pod for a while: --format json lists them all');
  });

  test('tells at its place the one that the story is about', () => {
    const workloads = Array.from({ length: 30 }, (_, at) => story(at, 5));
    const played = { reports: [{ ...QUIET, workloads }], assumptions: [], notEvaluated: [] };
    expect(renderScenariosText(played, { about: 'Deployment shop/web-29' }).split('\n')[1]).toContain('web-29: at least 5 of 10 ready');
  });

  test('keeps few in the order of their names', () => {
    expect(linesOf({ workloads: [story(0, 10), story(1, 0)] }).map((line) => line.slice(0, 21))).toEqual(['Deployment shop/web-0', 'Deployment shop/web-1']);
  });
});

describe('of more reports than anybody reads', () => {
  const reports = (count: number, of: (at: number) => Partial<ScenarioReport>) => Array.from({ length: count }, (_, at) => ({ ...QUIET, subject: `node n-${at}`, ...of(at) }));
  const textOf = (all: ScenarioReport[]) => renderScenariosText({ reports: all, assumptions: [], notEvaluated: [] });

  test('counts what becomes of all, and tells the gravest first', () => {
    const text = textOf(reports(200, (at) => at === 150 ? { stuck: [stuck('node a')] } : at === 160 ? { pending: pods(2) }
      : at >= 190 ? { workloads: [story(0, 0, { secondsBelowBudget: at })] } : { workloads: [story(0, 5, { secondsBelowBudget: 1 })] }));
    expect(text.split('\n').slice(0, 5)).toEqual([
      'drift, 200 times: the 12 gravest are told, --format json has them all',
      '  in 1 of them pods have no node in the end, or are lost',
      '  in 1 of them something is stuck',
      '  in 10 of them a workload has no pod ready for a while',
      '  in 198 of them a workload has fewer pods ready than its PodDisruptionBudget is to keep',
    ]);
    expect(text.match(/^drift of node n-\d+/gm)).toEqual([160, 150, 199, 198, 197, 196, 195, 194, 193, 192, 191, 190].map((at) => `drift of node n-${at}`));
  });

  test('says that nothing of the kind becomes of any', () => {
    expect(textOf(reports(13, () => ({})))).toMatch(/^drift, 13 times: the 12 gravest are told, --format json has them all\n {2}in none of them is a workload without a ready pod, or a pod without a node in the end\n\n/);
  });

  test('tells few in their order, without counting', () => {
    expect(textOf(reports(12, (at) => at === 11 ? { stuck: [stuck('node a')] } : {}))).toMatch(/^drift of node n-0: /);
  });
});

const happenings = (count: number, what: (at: number) => string, second = (_: number) => 5) =>
  Array.from({ length: count }, (_, at) => ({ second: second(at), what: what(at) }));

test('says of a timeline that is cut where the rest is', () => {
  expect(linesOf({ timeline: happenings(41, (at) => `n-${at} drains`, (at) => at) }).pop()).toBe('and 1 more: --format json lists them all');
});

test('tells once what happens to many at a time', () => {
  const timeline = [
    ...happenings(100, (at) => `n-${Math.floor(at / 2)} ${at % 2 === 0 ? 'expires' : 'drains'}`),
    ...happenings(4, (at) => `EC2 will take s-${at} in two minutes`),
    ...happenings(4, (at) => `Deployment shop/web-${at} has no pod ready`),
    ...happenings(4, (at) => `n-new-${at} is launched (m5.large, ${at < 3 ? 'spot' : 'on-demand'}, us-east-1a)`),
    ...happenings(2, (at) => `n-new-${at} is up`, (at) => 65 + at),
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

describe('of several scenarios', () => {
  const TIMED = { ...QUIET, course: [{ second: 0, nodes: 2, readyPods: 4 }], seconds: 60 };
  const report = (scenario: string, rest: Partial<ScenarioReport> = {}): ScenarioReport => ({ ...TIMED, scenario, ...rest });
  const textOf = (reports: readonly ScenarioReport[], notPlayed: ReadonlyArray<{ scenario: string; why: string }> = []) =>
    renderScenariosText({ reports, assumptions: [], notEvaluated: [], notPlayed });
  const row = (...reports: ScenarioReport[]) => textOf(reports).split('\n')[1];
  const outcome = (...rest: Array<Partial<ScenarioReport>>) => row(...rest.map((each) => report('drift', each))).split(/ {2,}/).pop();

  test('tells in a table how each comes out, of which there is nothing to play, and then each by itself', () => {
    const after = { nodes: 12, usdPerHour: 1.2 };
    const reports = [report('drift'), report('zone-outage', { subject: 'a', after }), report('zone-outage', { subject: 'b' })];
    expect(textOf(reports, [{ scenario: 'peak', why: 'none grows' }])).toBe([
      'Scenario                Nodes         USD per hour                Takes     What becomes of it',
      '  drift                 1             0.1000                      00:01:00  all pods stay ready',
      '  zone-outage, 2 times  1 -> 1 to 12  0.1000 -> 0.1000 to 1.2000  00:01:00  all pods stay ready',
      '  peak                  nothing to play: none grows',
      '',
      'drift: 1 node, over after 00:01:00',
      '',
      'zone-outage of a: 1 -> 12 nodes, 0.1000 -> 1.2000 USD per hour, over after 00:01:00',
      '',
      'zone-outage of b: 1 node, over after 00:01:00',
      '',
    ].join('\n'));
  });

  test('counts the reports of each by itself', () => {
    const of = (scenario: string, length: number) => Array.from({ length }, () => report(scenario));
    const reports = [...of('node-repair', 12), ...of('spot-interruption', 13)];
    expect(textOf(reports)).not.toContain('node-repair, 12 times: the 12 gravest');
    expect(textOf(reports)).toContain('spot-interruption, 13 times: the 12 gravest are told');
  });

  test('says nothing of the kind where none has anything to play', () => {
    expect(textOf([], [{ scenario: 'job-end', why: 'no Job' }])).toBe('Scenario   Nodes  USD per hour  Takes  What becomes of it\n  job-end  nothing to play: no Job\n');
  });

  test.each<[string, Array<Partial<ScenarioReport>>]>([
    ['1 pod has no node in the end; 1 node is stuck; all pods stay ready', [{ pending: pods(1), stuck: [stuck('node a'), stuck('pod shop/web-0')] }]],
    ['2 pods are lost; all pods stay ready', [{ lost: pods(2) }]],
    ['1 node is stuck each time; all pods stay ready', [{ stuck: [stuck('node a')] }, { stuck: [stuck('node b')] }]],
    ['up to 2 pods have no node in the end; all pods stay ready', [{ pending: pods(2) }, {}]],
    ['Deployment shop/web-1 has 2 of 10 pods ready at the least', [{ workloads: [story(0, 3)] }, { workloads: [story(1, 2), story(2, 10)] }]],
    ['Deployment shop/web-0 has no pod ready for a while', [{ workloads: [story(0, 0)] }, { workloads: [story(0, 0)] }]],
    ['2 workloads have no pod ready for a while; Deployment shop/web-2 is below its PodDisruptionBudget for a while',
      [{ workloads: [story(0, 0), story(1, 0), story(2, 5, { secondsBelowBudget: 3 }), story(3, 10, { secondsBelowBudget: 0 })] }]],
    ['all pods stay ready', [{ workloads: [story(0, 0, { replicas: 0 })] }]],
    ['all pods have a node', [{ course: [], workloads: [story(0, 2)] }]],
  ])('tells the gravest first: %s', (expected, reports) => {
    expect(outcome(...reports)).toBe(expected);
  });

  test('says of one that is cut off that it takes longer', () => {
    expect(row(report('drift', { unfinished: true }))).toContain('  over 00:01:00  ');
  });

  test('has no time of the peak, which takes none', () => {
    expect(row(report('peak', { course: [], seconds: 0 }))).toMatch(/^ {2}peak +1 +0\.1000 +all pods have a node$/);
  });

  test('has nothing in it that a terminal would take for a command', () => {
    expect(textOf([report('drift', { subject: 'a\u001b[2J' })], [{ scenario: 'peak', why: '\u001b[2J' }])).not.toContain('\u001b');
  });
});
