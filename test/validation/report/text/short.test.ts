import { Finding, renderText, Verdict } from '../../../../src/validation';
import { EMPTY, node, VERDICT } from '../verdict';

const [ERROR, WARNING] = VERDICT.findings;
const EXCERPT = { line: 2, lines: ['spec:', '\troel: node', '  more: 1'] };
const short = (findings: readonly Finding[], rest: Partial<Verdict> = {}, width = 1_000) =>
  renderText({ ...EMPTY, assumptions: [], ...rest, findings }, { width })
    .split('\n')
    .slice(2, -1);
const alike = (count: number, finding = WARNING) =>
  Array.from(
    { length: count },
    (_, at): Finding => ({
      ...finding,
      subject: { ...finding.subject, name: `web-${at}` },
      location: { ...finding.location, line: at + 1 },
    }),
  );

describe('an error', () => {
  const error: Finding = { ...ERROR, location: { ...ERROR.location, line: 3, column: 2 }, excerpt: EXCERPT };

  test('has its source line, a caret below the place and the remedy', () => {
    expect(short([error])).toEqual([
      'error[KARP-109]: the key "a" is written twice',
      ' --> a.yaml:3:2',
      '  |',
      '2 | spec:',
      '3 |  roel: node',
      '  |  ^^^^',
      '  = help: merge the two',
    ]);
  });

  test.each([
    ['[{ a: b }]  ', '^^^^^^^^^^'],
    ['"a b" c', '^^^^^'],
    ['é', '^'],
    ['', '^'],
  ])('has a caret as long as the key or value: %j', (source, carets) => {
    expect(
      short([
        { ...error, location: { ...error.location, column: 4 }, excerpt: { line: 3, lines: [`a: ${source}`] } },
      ])[4],
    ).toBe(`  |    ${carets}`);
  });

  test('has the title of its fix instead of the remedy', () => {
    const fix = { title: 'rename roel to role', file: 'a.yaml', safe: true, edits: [] };
    expect(short([{ ...error, fix }]).at(-1)).toBe('  = help: rename roel to role');
  });

  test('shows the part of a long line around the place', () => {
    const lines = [`${'x'.repeat(200)} roel ${'y'.repeat(200)}`];
    const [, , , source, caret] = short(
      [{ ...error, location: { ...error.location, line: 2, column: 202 }, excerpt: { line: 2, lines } }],
      {},
      80,
    );
    expect(source.length).toBeLessThanOrEqual(80);
    expect(source.slice(caret.indexOf('^'), caret.indexOf('^') + 4)).toBe('roel');
  });

  test('is printed once for all objects, with three other places', () => {
    expect(short(alike(6, { ...WARNING, severity: 'error' }))).toEqual([
      'error[KARP-306] × 6: Deployment shop/web-0: no cpu request',
      ' --> b.yaml:1:1',
      '  = also: shop/web-1 (line 2), shop/web-2 (line 3), shop/web-3 (line 4) and 2 more',
      '  = help: write one',
    ]);
  });

  test('is printed three times of one rule, and ten times of all rules', () => {
    const different = (count: number, rules: number) =>
      Array.from(
        { length: count },
        (_, at): Finding => ({ ...ERROR, rule: `KARP-${at % rules}`, message: `key ${at}` }),
      );
    const titles = (findings: readonly Finding[]) => short(findings).filter((line) => line.startsWith('error['));
    expect(titles(different(5, 1))).toHaveLength(3);
    expect(titles(different(20, 20))).toHaveLength(10);
    expect(short(different(5, 1)).at(-1)).toBe('and 2 more errors (--verbose prints all)');
  });
});

describe('warnings', () => {
  test('of one rule are printed once, with the most expensive workload first', () => {
    const workloads = [4, 2].map((at, index) => ({
      ...VERDICT.workloads[2],
      name: `web-${at}`,
      costPerHour: 2 - index,
    }));
    expect(short(alike(6), { workloads })).toEqual([
      'warning[KARP-306] × 6: Deployment shop/web-4: no cpu request',
      '  --> b.yaml:5 (shop/web-4), :3 (shop/web-2), :1 (shop/web-0)',
      '  help: write one',
    ]);
  });

  test('have two lines each for the message and the remedy', () => {
    const lines = short([{ ...WARNING, message: 'word '.repeat(100), remedy: 'write '.repeat(100) }], {}, 80);
    expect(lines).toHaveLength(5);
    expect([lines[1], lines[4]]).toEqual([expect.stringMatching(/word…$/), expect.stringMatching(/write…$/)]);
  });
});

test('notes are counted by rule in one line', () => {
  const infos = alike(3).map((finding): Finding => ({ ...finding, severity: 'info' }));
  expect(short([...infos, { ...infos[0], rule: 'KARP-100' }])).toEqual([
    '4 notes: KARP-306 × 3, KARP-100 (--verbose prints all)',
  ]);
});

test('pods that do not fit have three reasons, with equal ones joined', () => {
  const reasons = ['a', 'b', 'c', 'd', 'e'].map((nodePool, at) => ({
    nodePool,
    message: at < 2 ? `no room, karpenter.sh/nodepool In [${nodePool}]` : `taint ${at}`,
    elimination: [],
  }));
  const lines = short([], { unschedulable: [{ ...VERDICT.unschedulable[0], reasons }] });
  expect(lines.slice(1, 7)).toEqual([
    '  shop/big-0',
    '    NodePools a and b: no room, karpenter.sh/nodepool',
    '    NodePool c: taint 2',
    '    NodePool d: taint 3',
    '    and 1 more NodePool (--verbose prints all)',
    '    → lower memory from 16Gi to 15Gi: then every pod of the workload fits (2 changes tried)',
  ]);
});

test('five groups of pods that do not fit are printed', () => {
  const unschedulable = Array.from({ length: 8 }, (_, at) => ({
    ...VERDICT.unschedulable[0],
    pod: `shop/big${at}x`,
    smallestChange: `change ${at}`,
  }));
  expect(short([], { unschedulable }).at(-1)).toBe('  and 3 more pods (--verbose prints all)');
});

test('NodePools are printed if there is no node', () => {
  expect(short([], { nodePools: VERDICT.nodePools })).toEqual([
    'NodePools',
    '  default: can launch 2 instance types (cheapest m5.large), on-demand and spot, in us-east-1a, us-east-1b',
    '  none: can launch nothing',
  ]);
});

test('assumptions have one line each, and at most eight', () => {
  const assumptions = Array.from({ length: 20 }, (_, at) => `sentence ${at} ${'word '.repeat(30)}`);
  const lines = short([], { assumptions }, 80);
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('  and 12 more assumptions (--verbose prints all)');
  expect(lines[1]).toMatch(/^ {2}- sentence 0 .*word…$/);
});

test('instance types that some zones do not offer are one assumption', () => {
  const sentence = (type: string, zone: string) =>
    `${type} is offered in 5 of the 6 zones of us-east-1: whether us-east-1${zone} is one of them depends on the account`;
  expect(short([], { assumptions: [sentence('m5.large', 'a'), 'other', sentence('m5.large', 'b')] })[1]).toBe(
    '  - m5.large is offered in 5 of the 6 zones of us-east-1: whether these have the zones of the nodes depends on the account',
  );
  expect(short([], { assumptions: [sentence('m5.large', 'a')] })[1]).toBe(`  - ${sentence('m5.large', 'a')}`);
});

describe('the table of nodes', () => {
  const offer = (at: number, zone = 'us-east-1a') => ({
    instanceType: `m5.${at + 2}xlarge`,
    zone,
    capacityType: 'spot',
    usdPerHour: 1,
  });
  const tableOf = (nodes: Verdict['nodes'], rest: Partial<Verdict> = {}, width = 100) =>
    short([], { nodes, ...rest }, width);

  test('joins nodes by instance type if there are more than 20 different ones', () => {
    const nodes = Array.from({ length: 60 }, (_, at) =>
      node(`default-${at}`, offer(at % 30), [{ workload: `shop/w${at}`, pods: 1, requests: { cpu: 1 } }]),
    );
    const lines = tableOf(nodes);
    expect(lines).toHaveLength(22);
    expect(lines[1]).toMatch(/^ {2}default-0 × 2 /);
    expect(lines.at(-1)).toBe('  and 20 more nodes (--verbose prints all)');
  });

  test('names zones in full if they are of several regions, and counts many', () => {
    expect(tableOf(['us-east-1a', 'eu-west-1b'].map((zone) => node(zone, offer(0, zone), [])))[1]).toContain(
      'm5.2xlarge spot eu-west-1b,us-east-1a ',
    );
    expect(
      tableOf(['a', 'b', 'c', 'd'].map((letter) => node(letter, offer(0, `us-east-1${letter}`), [])))[1],
    ).toContain('m5.2xlarge spot 4 zones ');
  });

  test('has a column of accelerators if a node has any', () => {
    const withResource = (resource: string) => ({
      ...node('a', offer(0), []),
      allocatable: { cpu: 2, [resource]: 4 },
      requests: { pods: { [resource]: 1 }, daemonSets: {} },
    });
    expect(tableOf([withResource('nvidia.com/gpu')])[0]).toMatch(/ memory +GPU +pods$/);
    expect(tableOf([withResource('nvidia.com/gpu')])[1]).toMatch(/ 25%$/);
    expect(tableOf([withResource('aws.amazon.com/neuron')])[0]).toMatch(/ memory +Neuron +pods$/);
    expect(tableOf([withResource('aws.amazon.com/neuron'), withResource('amd.com/gpu')])[0]).toMatch(
      / accelerators +pods$/,
    );
  });

  test('prints why a node cannot be launched', () => {
    const nodeClaims = [{ ...VERDICT.nodeClaims[0], id: 'a', launch: null, launchFailure: 'insufficient capacity' }];
    expect(tableOf([{ ...node('a', offer(0), []), instanceType: null, price: null }], { nodeClaims }).slice(1)).toEqual(
      [expect.stringMatching(/^ {2}a +cannot be launched +- /), '    insufficient capacity'],
    );
  });

  test('cuts long names, and has no bars if there is no room for them', () => {
    const lines = tableOf(
      [
        node(
          `ip-10-0-0-7.${'x'.repeat(60)}`,
          { ...offer(0), instanceType: 'c7i-flex.metal-48xl', zone: 'us-west-2-lax-1a' },
          [],
        ),
      ],
      {},
      60,
    );
    expect(lines[1]).toMatch(/^ {2}ip-10-0-0-7\.x… {2}c7i-flex\.metal-48xl spot -lax-1a {2}1\.0000 +\d+% +\d+%/);
  });
});

test('prices from $1 have two digits, in the currency of the region', () => {
  const cost = { usdPerHour: 12.3456, lowerBoundUsdPerHour: 0.5, currency: 'CNY', prices: [] };
  expect(renderText({ ...EMPTY, summary: { ...EMPTY.summary, pods: 1, scheduledPods: 1, nodes: 1, cost } })).toMatch(
    /^The pod fits on 1 node, from CNY 12\.35\/h \(CNY 9,012\/month\); no errors, no warnings\.\nLower bound: CNY 0\.5000\/h\.\n/,
  );
});
